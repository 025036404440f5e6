# expect: reject E601
"""A module that Triton's language imported."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


@triton.jit
def k2(x_ptr, out_ptr, BLOCK: tl.constexpr):
    tl.math.core.knobs.foo()
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.load(x_ptr + tl.arange(0, BLOCK)))


def kernel_fn(x, y):
    out = torch.empty_like(x)
    k2[(1,)](x, out, BLOCK=8)
    return out
