# expect: accept
"""Annotations of all sorts."""
import torch
import triton
import triton.language as tl
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Union


if TYPE_CHECKING:
    from collections.abc import Sequence

Shape = Union[int, "Sequence[int]"]
VERSION: str = "1.0"
Hook = Callable[[Any], None]


@triton.jit
def softmax_kernel(x_ptr, y_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * stride + offsets, mask=mask, other=-float("inf")).to(tl.float32)
    x = x - tl.max(x, axis=0)
    numerator = tl.exp(x)
    y = numerator / tl.sum(numerator, axis=0)
    tl.store(y_ptr + row * stride + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def kernel_fn(x: torch.Tensor, dim: int | None = -1, *, eps: float = 1e-6) -> torch.Tensor:
    y: torch.Tensor = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.stride(0), x.shape[1], BLOCK=1024)
    return y


def verify():
    x = torch.randn((512, 781), device="cuda")
    error = (kernel_fn(x) - torch.softmax(x, dim=1)).abs().max().item()
    print("VERIFY: PASS" if error < 1e-5 else f"VERIFY: FAIL max_abs_err={error}")


if __name__ == "__main__":
    verify()
