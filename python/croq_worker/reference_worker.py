"""The reference mode: runs a brought file's own torch function on one set of inputs.

The parent has torch loaded and touches no GPU; each request gets a forked child, which is thrown
away. Tensors of a floating type narrower than float32 are handed over as float32, others as they
are; TF32 is off. What comes back is checked and written for the runner, which compares.
"""

from __future__ import annotations

import contextlib
import os
import traceback
from dataclasses import dataclass
from typing import Any, Mapping

import torch

from . import fields, reference_timing, script, stub_driver, torch_device
from .brought import Brought, TensorSpec
from .child import ChildDied, ChildRunner
from .fields import MessageError
from .messages import RUNTIME, failure
from .reference_call import WrongReference, arguments_for, checked, widened
from .serve import hello, serve

#: A reference of the largest tensors; the engine's own limits hold beside it.
_MAX_FILE_BYTES = 64 << 30


@dataclass(frozen=True)
class ReferenceRequest:
    """`inputs` and `outputs` are folders of <name>.bin; `time`: on a GPU, time it as well."""

    problem: Brought
    inputs: str
    outputs: str
    device: str
    time: bool

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "ReferenceRequest":
        request = ReferenceRequest(
            problem=Brought.decode(message), inputs=fields.get(message, "inputs", str),
            outputs=fields.get(message, "outputs", str), device=fields.get(message, "device", str),
            time=fields.get(message, "time", bool))
        if request.device != "cpu" and not request.device.startswith("cuda:"):
            raise MessageError(f"field 'device': '{request.device}' is neither cpu nor cuda:N")
        return request


def read_tensor(folder: str, spec: TensorSpec) -> torch.Tensor:
    """The tensor that the runner wrote. Raises WrongReference where the file is no such tensor."""
    path = os.path.join(folder, f"{spec.name}.bin")
    try:
        with open(path, "rb") as file:
            data = bytearray(file.read())
    except OSError as error:
        raise WrongReference(f"the inputs are not there: {error}") from error
    if len(data) != spec.nbytes:
        raise WrongReference(f"{path} has {len(data)} bytes; '{spec.name}' has {spec.nbytes}")
    if not data:
        return torch.empty(spec.shape, dtype=spec.torch_dtype())
    # Bytes first: torch.frombuffer of bool checks no values, and of fp8 is not in every torch.
    return torch.frombuffer(data, dtype=torch.uint8).view(spec.torch_dtype()).reshape(spec.shape)


def write_tensor(folder: str, spec: TensorSpec, value: torch.Tensor) -> None:
    """<name>.bin of the runner: row-major, little-endian."""
    path = os.path.join(folder, f"{spec.name}.bin")
    flat = value.contiguous().cpu().flatten()
    with open(path, "wb") as file:
        if flat.numel():
            file.write(memoryview(flat.view(torch.uint8).numpy()))


def compute(request: ReferenceRequest) -> dict[str, Any]:
    """The "referenced" reply's fields. For a forked child."""
    problem = request.problem
    try:
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        on_gpu = request.device != "cpu"
        if on_gpu:
            if not torch.cuda.is_available():
                raise WrongReference(f"torch {torch.__version__} finds no GPU here, but the "
                                     f"reference is to run on {request.device}")
            torch.cuda.set_device(torch.device(request.device))
        else:
            stub_driver.activate(problem.device)
            torch_device.install(problem.device)
        inputs = {spec.name: read_tensor(request.inputs, spec).to(request.device)
                  for spec in problem.of_role("input", "inout")}
        with contextlib.nullcontext() if on_gpu else torch_device.DeviceMode(refuse_reads=False):
            module = script.load(problem.source)
            function = script.entry(module, problem.reference)
            wide = {name: widened(tensor) for name, tensor in inputs.items()}
            result = function(**arguments_for(function, problem, wide))
        for spec, value in checked(problem, result):
            write_tensor(request.outputs, spec, value)
        del result, wide
        times: dict[str, Any] = {"contract_ms": 0.0, "cold_ms": 0.0, "time_problem": ""}
        if request.time and on_gpu:
            arguments = arguments_for(function, problem, inputs)
            times.update(reference_timing.measure(function, arguments, problem.dtype))
        return {"ok": True, **times}
    except BaseException as error:  # SystemExit too: a child must always answer
        place = script.place_in(problem.source, error.__traceback__)
        if isinstance(error, (WrongReference, script.ScriptError)):
            return failure(RUNTIME, "Reference", str(error))
        traceback.print_exception(error)
        return failure(RUNTIME, type(error).__name__,
                       f"{problem.reference}: {type(error).__name__}: {error}{place}")


class ReferenceHandler:
    """Answers "reference" requests."""

    def __init__(self, children: ChildRunner) -> None:
        self._children = children

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        request = ReferenceRequest.decode(message)
        result = self._children.run(lambda: compute(request), request.problem.timeout_s)
        if isinstance(result, ChildDied):
            result = result.reply(request.problem.reference)
        return {"type": "referenced", **result}


def run(read_fd: int, write_fd: int) -> int:
    """Serves until the engine closes its end; the process's exit code."""
    children = ChildRunner(private_fds=(read_fd, write_fd), max_file_bytes=_MAX_FILE_BYTES)
    return serve(read_fd, write_fd, hello("reference", ("triton", "torch")),
                 {"reference": ReferenceHandler(children)})
