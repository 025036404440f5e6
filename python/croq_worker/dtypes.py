"""The dtypes of shape keys (the C++ side: croq/model/dtype.h)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .fields import MessageError


@dataclass(frozen=True)
class DTypeFacts:
    """`torch` names the storage type; `unit_roundoff` is that of the stored result."""

    name: str
    torch: str
    unit_roundoff: float

    def torch_dtype(self) -> Any:
        import torch

        return getattr(torch, self.torch)


_FACTS = {facts.name: facts for facts in (
    DTypeFacts("f16fp32", "float16", 2.0**-11), DTypeFacts("bf16fp32", "bfloat16", 2.0**-8),
    DTypeFacts("f32", "float32", 2.0**-24), DTypeFacts("tf32fp32", "float32", 2.0**-24))}


def facts_of(name: str) -> DTypeFacts:
    """Raises MessageError where no dtype has that name."""
    if name not in _FACTS:
        raise MessageError(f"field 'dtype': '{name}' is not known; known are {', '.join(_FACTS)}")
    return _FACTS[name]
