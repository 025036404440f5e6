# expect: accept
"""The module asks whether Triton works here."""
import torch
import triton
import triton.language as tl
from torch.utils._triton import has_triton


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


if has_triton():
    WIDE = 1024
else:
    WIDE = 512


def kernel_fn(x, y):
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), WIDE),)](x, y, out, x.numel(), BLOCK=WIDE)
    return out
