"""The interpret mode: runs a script in Triton's interpreter on a small problem and checks C.

TRITON_INTERPRET=1 is set before this module is imported (__main__). The interpreter has no real
bfloat16 (it adds and multiplies the bit patterns), so a bf16 script is checked as its float16
twin: a copy in which every `bfloat16` reads `float16`; "checked_as" says so. It knows no tf32
either: such a script is checked as f32, which it must fulfil all the more.
"""

from __future__ import annotations

import re
import tempfile
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Mapping

import numpy as np
import torch
import triton
import triton.language as tl

from . import fields, interpret_brought, interpret_check, script, stub_driver, torch_device
from .brought import Brought
from .capture_worker import takes_output
from .child import ChildDied, ChildRunner
from .dtypes import facts_of
from .fields import MessageError
from .messages import RUNTIME, Problem, encode_real, failure
from .serve import hello, serve
from .versions import release

_CHECKED_AS = {"f16fp32": "f16fp32", "bf16fp32": "f16fp32", "f32": "f32", "tf32fp32": "f32",
               "e4m3fp32": "e4m3fp16fp32", "e4m3fp16fp32": "e4m3fp16fp32"}


@dataclass(frozen=True)
class InterpretRequest:
    """`overrides` are set on the module after its import: they replace its constants."""

    problem: Problem
    seed: int
    max_abs_tolerance: float
    overrides: dict[str, Any]

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "InterpretRequest":
        overrides = {name: constant_of(name, value)
                     for name, value in fields.get(message, "overrides", dict, {}).items()}
        return InterpretRequest(Problem.decode(message), seed_of(message),
                                fields.get(message, "max_abs_tolerance", float, 0.0), overrides)


def seed_of(message: Mapping[str, Any]) -> int:
    """64 bits, which travel as a decimal number in a text."""
    seed = message.get("seed", "0")
    if not isinstance(seed, str) or not seed.isdecimal():
        raise MessageError("field 'seed': expected a decimal number as text")
    return int(seed)


def constant_of(name: str, value: Any) -> Any:
    """A module constant: a plain JSON value, or "torch.float16" and "tl.float16" for dtypes."""
    if isinstance(value, (list, dict)):
        raise MessageError(f"field 'overrides.{name}': expected a plain value")
    if isinstance(value, str):
        package, _, member = value.partition(".")
        known = {"torch": (torch, torch.dtype), "tl": (tl, tl.dtype)}.get(package)
        if known and isinstance(found := getattr(known[0], member, None), known[1]):
            return found
    return value


def unfit(triton_version: str, numpy_version: str) -> str | None:
    """Why the interpreter doesn't work in this environment; None where it does."""
    if release(triton_version) <= (3, 6) and release(numpy_version) >= (2, 4):
        return (f"Triton {triton_version}'s interpreter does not work with numpy {numpy_version} "
                "(range() over a tensor raises TypeError there); install numpy < 2.4, or Triton "
                "3.7 or newer")
    return None


def float16_twin(path: str, folder: str) -> str:
    """Writes a copy of the script with float16 for bfloat16 (lines stay); its path."""
    text = re.sub(rb"\bbfloat16\b", b"float16", Path(path).read_bytes())
    twin = Path(folder) / Path(path).name
    twin.write_bytes(text)
    return str(twin)


def interpret(request: InterpretRequest, folder: str) -> dict[str, Any]:
    """The "interpreted" reply's fields. For a forked child: it changes torch and Triton for good.

    `folder` takes the twin of a bf16 script.
    """
    problem = request.problem
    path = problem.source
    try:
        facts = facts_of(_CHECKED_AS[problem.dtype])
        overrides = request.overrides
        if facts_of(problem.dtype).result == "bfloat16":
            path = float16_twin(path, folder)
            halves = {torch.bfloat16: torch.float16, tl.bfloat16: tl.float16}
            overrides = {name: halves.get(value, value) for name, value in overrides.items()}
        stub_driver.activate(problem.device)
        torch_device.install(problem.device)
        operands = interpret_check.make_operands(replace(problem, dtype=facts.name), request.seed)
        given = operands.given
        c_t = torch.full((problem.m, problem.n), np.nan, dtype=facts.result_dtype())
        with torch_device.DeviceMode(refuse_reads=False), torch.no_grad():
            module = script.load(path)
            vars(module).update(overrides)
            function = script.entry(module, problem.entry)
            c_given = takes_output(function, len(given))
            result = function(*given, c_t) if c_given else function(*given)
        result = c_t if result is None and c_given else result
        if not isinstance(result, torch.Tensor) or result.shape != c_t.shape \
                or result.dtype != c_t.dtype:
            return failure(RUNTIME, "Refused", f"{problem.entry} returned {_describe(result)}; "
                           f"C is {tuple(c_t.shape)} and {c_t.dtype}")
        found = interpret_check.compare(operands.a, operands.b, result.numpy(),
                                        facts.unit_roundoff, facts.result == "float16")
    except BaseException as error:  # SystemExit too: a child must always answer
        traceback.print_exception(error)
        text = f"{type(error).__name__}: {error}{script.place_in(path, error.__traceback__)}"
        return failure(RUNTIME, type(error).__name__, text.replace(path, problem.source))
    tolerance = request.max_abs_tolerance or float("inf")
    passed = (found.nan_count == 0 and found.worst_ratio <= 1.0
              and found.max_abs_err < tolerance)
    return {"ok": True, "passed": passed, "max_abs_err": encode_real(found.max_abs_err),
            "worst_ratio": encode_real(found.worst_ratio), "nan_count": found.nan_count,
            "checked_as": facts.name}


def interpret_problem(problem: Brought, seed: int, max_abs_tolerance: float,
                      folder: str) -> dict[str, Any]:
    """The same of a brought problem, whose checks join all its outputs."""
    path = problem.source
    try:
        if problem.dtype == "bf16fp32" or any(t.element == "bf16" for t in problem.tensors):
            path = float16_twin(path, folder)
            problem = interpret_brought.half_twin(problem, path)
        found, dtype = interpret_brought.run(problem, seed, max_abs_tolerance)
    except BaseException as error:  # SystemExit too: a child must always answer
        traceback.print_exception(error)
        text = f"{type(error).__name__}: {error}{script.place_in(path, error.__traceback__)}"
        return failure(RUNTIME, type(error).__name__, text.replace(path, problem.source))
    return {"ok": True, "passed": found.nan_count == 0 and found.worst_ratio <= 1.0,
            "max_abs_err": encode_real(found.max_abs_err),
            "worst_ratio": encode_real(found.worst_ratio), "nan_count": found.nan_count,
            "checked_as": _CHECKED_AS[dtype]}


def _describe(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)} and {value.dtype}"
    return f"a {type(value).__name__}"


class InterpretHandler:
    """Answers "interpret" requests."""

    def __init__(self, children: ChildRunner) -> None:
        self._children = children
        self._unfit = unfit(triton.__version__, np.__version__)

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        with tempfile.TemporaryDirectory(prefix="croq_twin.") as folder:
            job, task = _job_of(message, folder)
            if self._unfit:
                return {"type": "interpreted", **failure(RUNTIME, "Environment", self._unfit)}
            result = self._children.run(job, task.timeout_s)
        if isinstance(result, ChildDied):
            result = result.reply(task.entry)
        return {"type": "interpreted", **result}


def _job_of(message: Mapping[str, Any],
            folder: str) -> tuple[Callable[[], dict[str, Any]], Problem | Brought]:
    """What the child runs, and for whom. Raises MessageError."""
    if message.get("problem") is None:
        request = InterpretRequest.decode(message)
        return (lambda: interpret(request, folder)), request.problem
    problem, seed = Brought.decode(message), seed_of(message)
    tolerance = fields.get(message, "max_abs_tolerance", float, 0.0)
    return (lambda: interpret_problem(problem, seed, tolerance, folder)), problem


def run(read_fd: int, write_fd: int) -> int:
    """Serves until the engine closes its end; the process's exit code."""
    children = ChildRunner(private_fds=(read_fd, write_fd))
    return serve(read_fd, write_fd, hello("interpret", ("triton", "torch", "numpy")),
                 {"interpret": InterpretHandler(children)})
