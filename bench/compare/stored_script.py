"""The kernel that croq kept: its stored file, imported as anybody would."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from .contestant import Call, Contestant
from .errors import UsageError
from .operands import OperandSet

# Parameters of kernel_fn by name, with what they are given.
_GIVEN: dict[str, Callable[[OperandSet], Any]] = {
    "a": lambda operands: operands.a,
    "b": lambda operands: operands.b,
    "c": lambda operands: operands.c,
    "scale_a": lambda operands: operands.scale_a,
    "scale_b": lambda operands: operands.scale_b,
}


def load(path: Path) -> ModuleType:
    """Imports the file. Its harness runs only as a program."""
    spec = importlib.util.spec_from_file_location(f"stored_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} can't be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bind(function: Callable[..., Any]) -> Call:
    """kernel_fn with a set's tensors for its parameters."""
    parameters = inspect.signature(function).parameters
    unknown = [name for name, parameter in parameters.items()
               if name not in _GIVEN and parameter.default is inspect.Parameter.empty]
    if unknown:
        raise UsageError(f"kernel_fn wants {', '.join(unknown)}; known here are "
                         f"{', '.join(_GIVEN)}")
    names = [name for name in parameters if name in _GIVEN]

    def call(operands: OperandSet) -> Any:
        return function(**{name: _GIVEN[name](operands) for name in names})

    return call


def build(path: Path, first: OperandSet) -> Contestant:
    """Ready after one call, which compiles the kernel."""
    module = load(path)
    kernel_fn = getattr(module, "kernel_fn", None)
    if kernel_fn is None:
        raise UsageError(f"{path} has no kernel_fn")
    call = bind(kernel_fn)
    call(first)
    lines = [line.strip() for line in (module.__doc__ or "").splitlines()]
    tiles = next((line for line in lines if line.startswith("Tiles of")), "")
    return Contestant("croq", call, detail=f"{path.stem}: {tiles}".rstrip(": "))
