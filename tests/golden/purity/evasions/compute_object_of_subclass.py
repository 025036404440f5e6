# expect: reject E102
"""A subclass computes for the method that its base calls."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


class B:
    def __call__(self, x, y):
        return self.inner(x, y)
    def inner(self, x, y):
        return x


class D(B):
    def inner(self, x, y):
        return torch.mm(x, y)


d = D()


def kernel_fn(x, y):
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
    d(x, y)
    return out
