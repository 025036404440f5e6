# expect: accept
"""Every function that launches is an entry."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


def add(x, y):
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
    return out


def add_(x, y):
    add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x, x.numel(), BLOCK=1024)


def test_add():
    x = torch.ones(8, device="cuda")
    assert torch.equal(add(x, x), x + x)
