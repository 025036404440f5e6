# expect: accept
"""Sizes stand beside tensors in containers."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def shapes(tensors):
    total = 0
    for index, each in enumerate(tensors):
        total += each.numel() * (index + 1)
    return total


def split(x):
    return x, x.shape[0]


def kernel_fn(x, y):
    sizes = [x.shape[0], y.shape[0]]
    most = max(sizes) * 2
    sizes += [most]
    items = {"x": x, "n": x.numel()}
    n = items["n"] + 0
    first, rows = split(x)
    rows = rows * 2
    blocks = shapes([x, y]) // n + rows
    for tensor, size in zip([x, y], sizes):
        assert size * 2 >= tensor.shape[0]
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(n, 1024),)](first, y, out, n, BLOCK=1024)
    return out
