"""A brought problem as the engine sends it (the C++ side: croq/model/problem_json.h)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Mapping

from . import fields
from .fields import MessageError
from .messages import Device

#: Triton's name of an element: torch's, bytes, unit roundoff (0 for what is exact).
_ELEMENTS = {
    "fp16": ("float16", 2, 2.0**-11), "bf16": ("bfloat16", 2, 2.0**-8),
    "fp32": ("float32", 4, 2.0**-24), "fp64": ("float64", 8, 2.0**-53),
    "fp8e4nv": ("float8_e4m3fn", 1, 2.0**-4), "fp8e5": ("float8_e5m2", 1, 2.0**-3),
    "i8": ("int8", 1, 0.0), "i16": ("int16", 2, 0.0), "i32": ("int32", 4, 0.0),
    "i64": ("int64", 8, 0.0), "u8": ("uint8", 1, 0.0), "i1": ("bool", 1, 0.0)}
_ROLES = ("input", "output", "inout")
DISTRIBUTIONS = ("normal", "uniform", "integer", "constant", "arange")


@dataclass(frozen=True)
class TensorSpec:
    """One tensor, row-major and contiguous. `first` and `second` belong to the distribution."""

    name: str
    element: str
    shape: tuple[int, ...]
    role: str
    distribution: str = "normal"
    first: float = 0.0
    second: float = 1.0

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "TensorSpec":
        spec = TensorSpec(
            name=fields.get(message, "name", str), element=fields.get(message, "element", str),
            shape=tuple(fields.whole_numbers(message, "shape")),
            role=fields.get(message, "role", str),
            distribution=fields.get(message, "distribution", str),
            first=fields.get(message, "first", float), second=fields.get(message, "second", float))
        for value, known, name in ((spec.element, tuple(_ELEMENTS), "element"),
                                   (spec.role, _ROLES, "role"),
                                   (spec.distribution, DISTRIBUTIONS, "distribution")):
            if value not in known:
                raise MessageError(f"field '{name}': '{value}' is not known; known are "
                                   f"{', '.join(known)}")
        return spec

    @property
    def is_float(self) -> bool:
        return self.unit_roundoff > 0

    @property
    def unit_roundoff(self) -> float:
        return _ELEMENTS[self.element][2]

    @property
    def elements(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.elements * _ELEMENTS[self.element][1]

    @property
    def strides(self) -> tuple[int, ...]:
        """In elements, of the contiguous tensor."""
        return tuple(math.prod(self.shape[i + 1:]) for i in range(len(self.shape)))

    def torch_dtype(self) -> Any:
        import torch

        return getattr(torch, _ELEMENTS[self.element][0])


@dataclass(frozen=True)
class Brought:
    """What a person's own file computes. `arguments` are the entry's, by name: a tensor's name in
    a TensorSpec, or a literal."""

    source: str
    entry: str
    reference: str
    dtype: str
    tensors: tuple[TensorSpec, ...]
    arguments: dict[str, Any]
    absolute_tolerance: float
    device: Device
    timeout_s: float

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "Brought":
        """Of a request whose field "problem" holds it."""
        problem = fields.get(message, "problem", dict)
        try:
            tensors = tuple(TensorSpec.decode(t) for t in fields.objects(problem, "tensors"))
            arguments: dict[str, Any] = {}
            for argument in fields.objects(problem, "arguments"):
                name = fields.get(argument, "name", str)
                if "tensor" in argument:
                    index = fields.get(argument, "tensor", int)
                    if not 0 <= index < len(tensors):
                        raise MessageError(f"argument '{name}': there is no tensor {index}")
                    arguments[name] = tensors[index]
                else:
                    arguments[name] = argument.get("value")
            return Brought(
                source=fields.get(message, "source", str),
                entry=fields.get(problem, "entry", str),
                reference=fields.get(problem, "reference", str),
                dtype=fields.get(problem, "dtype", str), tensors=tensors, arguments=arguments,
                absolute_tolerance=fields.get(problem, "absolute_tolerance", float),
                device=Device.decode(message["device"])
                if isinstance(message.get("device"), dict) else Device(),
                timeout_s=fields.get(message, "timeout_s", float, 60.0))
        except MessageError as error:
            raise MessageError(f"field 'problem': {error}") from error

    def of_role(self, *roles: str) -> list[TensorSpec]:
        """The tensors of these roles, in the table's order."""
        return [tensor for tensor in self.tensors if tensor.role in roles]

    @property
    def returned(self) -> list[TensorSpec]:
        """The outputs that the entry makes itself."""
        passed = [value for value in self.arguments.values() if isinstance(value, TensorSpec)]
        return [tensor for tensor in self.of_role("output") if tensor not in passed]

    def call_with(self, tensors: Mapping[str, Any]) -> dict[str, Any]:
        """The entry's keyword arguments, with `tensors` (by name) in the specs' places."""
        return {name: tensors[value.name] if isinstance(value, TensorSpec) else value
                for name, value in self.arguments.items()}
