"""The dtypes of shape keys (the C++ side: croq/model/dtype.h)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .fields import MessageError


@dataclass(frozen=True)
class DTypeFacts:
    """`operand` and `result` name the storage types of A, B and of C as torch does; `unit_roundoff`
    is that of the stored result. `scaled`: A and B come with float32 scales."""

    name: str
    operand: str
    result: str
    unit_roundoff: float
    scaled: bool = False

    def operand_dtype(self) -> Any:
        import torch

        return getattr(torch, self.operand)

    def result_dtype(self) -> Any:
        import torch

        return getattr(torch, self.result)


_FACTS = {facts.name: facts for facts in (
    DTypeFacts("f16fp32", "float16", "float16", 2.0**-11),
    DTypeFacts("bf16fp32", "bfloat16", "bfloat16", 2.0**-8),
    DTypeFacts("f32", "float32", "float32", 2.0**-24),
    DTypeFacts("tf32fp32", "float32", "float32", 2.0**-24),
    DTypeFacts("e4m3fp32", "float8_e4m3fn", "bfloat16", 2.0**-8, scaled=True),
    DTypeFacts("e4m3fp16fp32", "float8_e4m3fn", "float16", 2.0**-11, scaled=True))}


def facts_of(name: str) -> DTypeFacts:
    """Raises MessageError where no dtype has that name."""
    if name not in _FACTS:
        raise MessageError(f"field 'dtype': '{name}' is not known; known are {', '.join(_FACTS)}")
    return _FACTS[name]
