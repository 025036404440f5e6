"""How a brought file's reference function is called, and what it must give back."""

from __future__ import annotations

import inspect
from typing import Any, Mapping

import torch

from .brought import Brought, TensorSpec


class WrongReference(Exception):
    """A reference function that does not give what the problem's table says."""


def widened(tensor: torch.Tensor) -> torch.Tensor:
    """A copy, in float32 where it is of a narrower floating type."""
    if tensor.is_floating_point() and tensor.dtype.itemsize < 4:
        return tensor.to(torch.float32)
    return tensor.clone()


def arguments_for(function: Any, problem: Brought, tensors: Mapping[str, Any]) -> dict[str, Any]:
    """The reference's keyword arguments: of the entry's and the tensors' names those it has."""
    known: dict[str, Any] = dict(tensors)
    known.update((name, value) for name, value in problem.arguments.items()
                 if not isinstance(value, TensorSpec))
    for name, value in problem.arguments.items():
        if isinstance(value, TensorSpec) and value.name in tensors:
            known[name] = tensors[value.name]
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return known
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return known
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    wanted = [p for p in parameters if p.kind in named]
    missing = [p.name for p in wanted if p.name not in known and p.default is p.empty]
    if missing:
        raise WrongReference(f"{problem.reference} wants {', '.join(missing)}; there are "
                             f"{', '.join(known) or 'no inputs'}")
    return {p.name: known[p.name] for p in wanted if p.name in known}


def checked(problem: Brought, result: Any) -> list[tuple[TensorSpec, torch.Tensor]]:
    """The reference's results beside their specs, in the form in which they are written."""
    specs = problem.of_role("output") + problem.of_role("inout")
    values = list(result) if isinstance(result, (tuple, list)) else [result]
    if len(values) != len(specs):
        names = ", ".join(spec.name for spec in specs)
        raise WrongReference(f"{problem.reference} returned {len(values)} value"
                             f"{'s' * (len(values) != 1)}; wanted are {len(specs)}, the outputs "
                             f"and then the new values of the in-place tensors: {names}")
    return [(spec, _checked_one(problem, spec, value)) for spec, value in zip(specs, values)]


def _checked_one(problem: Brought, spec: TensorSpec, value: Any) -> torch.Tensor:
    what = f"{problem.reference}: its '{spec.name}'"
    if not isinstance(value, torch.Tensor):
        raise WrongReference(f"{what} is a {type(value).__name__}, not a tensor")
    if tuple(value.shape) != spec.shape:
        raise WrongReference(f"{what} has the shape {tuple(value.shape)}; the table says "
                             f"{spec.shape}")
    value = value.detach()
    if spec.is_float != value.is_floating_point():
        raise WrongReference(f"{what} is {value.dtype}; the table says {spec.torch_dtype()}")
    if not spec.is_float:
        exact = value.to(spec.torch_dtype())
        if not torch.equal(exact.to(torch.int64), value.to(torch.int64)):
            raise WrongReference(f"{what} has values that {spec.torch_dtype()} does not hold")
        return exact
    largest = torch.finfo(spec.torch_dtype()).max
    bad = ~torch.isfinite(value) | (value.abs() > largest)
    count = int(bad.sum())
    if count:
        first = int(bad.flatten().nonzero()[0])
        found = float(value.flatten()[first])
        raise WrongReference(f"{what} has {count} of {value.numel()} elements that are not finite "
                             f"in {spec.torch_dtype()}, the first, {found}, at index {first} of "
                             "its memory: choose inputs that keep it finite")
    return value.to(torch.float32)
