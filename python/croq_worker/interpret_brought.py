"""The interpret mode for brought problems: the entry in Triton's interpreter against the file's own
reference, on inputs drawn here as the problem's table says.

As for matmuls, a bf16 file is checked as its float16 twin: the interpreter's bfloat16 is wrong.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np
import torch

from . import script, stub_driver, torch_device
from .brought import Brought, TensorSpec
from .dtypes import facts_of
from .reference_call import WrongReference, arguments_for, checked, widened

#: As croq_runner/problem_bound.h has them, with their sources.
_ON_REFERENCE, _ROW_COLUMNS, _ROW_FLOOR = 2.02, 64, 0.125
_HALF_SUBNORMAL = {"fp16": 2.0**-25, "bf16": 2.0**-134, "fp32": 2.0**-150, "fp64": 2.0**-150,
                   "fp8e4nv": 2.0**-10, "fp8e5": 2.0**-17}
_TOLERANCE = {"fp16": 1e-3, "bf16": 1e-2, "fp32": 1e-4, "fp64": 1e-4, "fp8e4nv": 1e-2,
              "fp8e5": 1e-2}


@dataclass
class Found:
    """`worst_ratio` is the largest |error| over its bound, infinite where a whole number differs."""

    max_abs_err: float = 0.0
    worst_ratio: float = 0.0
    nan_count: int = 0


def half_twin(problem: Brought, source: str) -> Brought:
    """The problem with float16 for bfloat16, of the file that was rewritten so."""
    tensors = {spec.name: dataclasses.replace(spec, element="fp16" if spec.element == "bf16"
                                              else spec.element) for spec in problem.tensors}
    return dataclasses.replace(
        problem, source=source, tensors=tuple(tensors.values()),
        arguments={name: tensors[value.name] if isinstance(value, TensorSpec) else value
                   for name, value in problem.arguments.items()})


def draw(spec: TensorSpec, generator: np.random.Generator) -> torch.Tensor:
    """A tensor as the table wants it; not the numbers that the runner draws."""
    size, first, second = spec.elements, spec.first, spec.second
    if spec.distribution == "normal":
        values = generator.normal(first, second, size)
    elif spec.distribution == "uniform":
        values = generator.uniform(first, second, size)
        values = values if spec.is_float else np.floor(values)
    elif spec.distribution == "integer":
        values = generator.integers(int(first), int(second), size, endpoint=True)
    elif spec.distribution == "arange":
        values = first + second * np.arange(size)
    else:
        values = np.full(size, first)
    dtype = spec.torch_dtype()
    if not spec.is_float and dtype != torch.bool:
        limits = torch.iinfo(dtype)
        values = np.clip(np.rint(values), limits.min, limits.max)
    return torch.from_numpy(np.asarray(values)).to(dtype).reshape(spec.shape)


def poison(spec: TensorSpec) -> torch.Tensor:
    """An output that nothing has been written to."""
    fill = 0xFF if spec.is_float else 0xA5
    data = torch.full((spec.nbytes,), fill, dtype=torch.uint8)
    return data.view(spec.torch_dtype()).reshape(spec.shape)


def compare(spec: TensorSpec, output: torch.Tensor, reference: torch.Tensor, tolerance: float,
            found: Found) -> None:
    """Adds what was found in one tensor."""
    if not spec.elements:
        return
    if not spec.is_float:
        error = (output.to(torch.int64) - reference.to(torch.int64)).abs().max().item()
        found.max_abs_err = max(found.max_abs_err, float(error))
        found.worst_ratio = max(found.worst_ratio, math.inf if error else 0.0)
        return
    columns = spec.shape[-1] if spec.shape and spec.shape[-1] >= _ROW_COLUMNS else spec.elements
    wanted = reference.to(torch.float64).reshape(-1, columns).numpy()
    got = output.to(torch.float64).reshape(-1, columns).numpy()
    rms = math.sqrt(float((wanted**2).mean()))
    scale = np.maximum(np.sqrt((wanted**2).mean(-1, keepdims=True)), _ROW_FLOOR * rms)
    unit = max(spec.unit_roundoff, 2.0**-24)
    bound = (_ON_REFERENCE * unit * np.abs(wanted) + 4 * tolerance * scale
             + _HALF_SUBNORMAL[spec.element])
    finite = np.isfinite(got)
    error = np.abs(np.where(finite, got, wanted) - wanted)
    found.nan_count += int(got.size - finite.sum())
    found.max_abs_err = max(found.max_abs_err, float(error.max()))
    found.worst_ratio = max(found.worst_ratio, float((error / bound).max()))


def tolerance_of(problem: Brought, spec: TensorSpec, contract: float) -> float:
    """The table's, else the contract's for the problem or the element, whichever is wider."""
    return problem.absolute_tolerance or max(contract, _TOLERANCE.get(spec.element, 0.0))


def outputs_of(problem: Brought, tensors: Mapping[str, torch.Tensor], result: Any
               ) -> dict[str, Any]:
    """Every written tensor by name: what came back in the place of what was passed in."""
    values = list(result) if isinstance(result, (tuple, list)) else [result]
    values = [] if result is None else values
    written = problem.of_role("output") + problem.of_role("inout")
    outputs: dict[str, Any] = {spec.name: tensors.get(spec.name) for spec in written}
    inout = len(problem.of_role("inout"))
    for specs in (problem.of_role("output"), problem.returned):
        if len(values) in (len(specs), len(specs) + inout):
            outputs.update((spec.name, value) for spec, value in zip(specs, values))
            break
    for spec in written:
        value = outputs[spec.name]
        if not isinstance(value, torch.Tensor) or tuple(value.shape) != spec.shape \
                or value.dtype != spec.torch_dtype():
            said = f"a tensor of shape {tuple(value.shape)} and {value.dtype}" \
                if isinstance(value, torch.Tensor) else f"a {type(value).__name__}"
            raise WrongReference(f"{problem.entry} gave {said} for '{spec.name}', which is "
                                 f"{spec.shape} and {spec.torch_dtype()}")
    return outputs


def _ask_reference(problem: Brought, reference: Any, inputs: Mapping[str, torch.Tensor]
                   ) -> list[tuple[TensorSpec, torch.Tensor]]:
    """What the reference says; its own failure is told from the kernel's."""
    arguments = arguments_for(reference, problem, inputs)
    try:
        given = reference(**arguments)
    except Exception as error:
        raise WrongReference(f"the reference '{problem.reference}' failed: "
                             f"{type(error).__name__}: {error}") from error
    return checked(problem, given)


def run(problem: Brought, seed: int, contract: float) -> tuple[Found, str]:
    """What the entry gave, and the dtype's name. For a forked child."""
    stub_driver.activate(problem.device)
    torch_device.install(problem.device)
    generator = np.random.default_rng(seed)
    inputs = {spec.name: draw(spec, generator) for spec in problem.of_role("input", "inout")}
    returned = problem.returned
    tensors = {name: tensor.clone() for name, tensor in inputs.items()}
    tensors |= {spec.name: poison(spec) for spec in problem.of_role("output")
                if spec not in returned}
    with torch_device.DeviceMode(refuse_reads=False), torch.no_grad():
        module = script.load(problem.source)
        reference = script.entry(module, problem.reference)
        wide = {name: widened(tensor) for name, tensor in inputs.items()}
        wanted = _ask_reference(problem, reference, wide)
        result = script.entry(module, problem.entry)(**problem.call_with(tensors))
    outputs = outputs_of(problem, tensors, result)
    found = Found()
    for spec, value in wanted:
        compare(spec, outputs[spec.name].detach(), value, tolerance_of(problem, spec, contract),
                found)
    return found, facts_of(problem.dtype).name
