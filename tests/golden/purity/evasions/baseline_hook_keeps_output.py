# expect: reject E305
# iter: 0
"""A hook keeps the output."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


MEMO = {}


def hook(nargs):
    MEMO["x"] = nargs["out_ptr"]


@triton.autotune([triton.Config({}, num_warps=4, pre_hook=hook)], key=["n"])
@triton.jit
def k2(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.load(x_ptr + tl.arange(0, BLOCK)))


def kernel_fn(x, y):
    out = torch.empty_like(x)
    k2[(1,)](x, out, 8, BLOCK=8)
    return out
