# expect: accept
"""Sizes are reduced and added."""
import functools

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def pad(n, block):
    return n + block


def kernel_fn(x, y):
    n = functools.reduce(lambda a, b: a * b, x.shape, 1)
    total = sum([pad(size, 8) for size in x.shape])
    area = 1
    for size in list(x.shape):
        area *= size
    low, high = [area, total]
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(low, 1024) + 0 * high,)](x, y, out, n, BLOCK=1024)
    return out.view(x.shape)
