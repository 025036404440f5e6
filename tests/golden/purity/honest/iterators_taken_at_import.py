# expect: accept
"""Iterators whose items are taken out at import."""
import itertools

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


SIZES = list(zip([128, 256], [4, 8]))
TABLE = dict(enumerate([1024, 2048]))
CHOICES = tuple(itertools.product([1, 2], [3]))


def kernel_fn(x, y):
    out = torch.empty_like(x)
    block = SIZES[0][0] * CHOICES[0][0] * (TABLE[0] // 1024)
    add_kernel[(triton.cdiv(x.numel(), block),)](x, y, out, x.numel(), BLOCK=128)
    return out
