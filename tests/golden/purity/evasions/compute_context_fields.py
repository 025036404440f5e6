# expect: reject E104
"""Tensors on the context of an autograd function are multiplied."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        out = torch.empty_like(x)
        ctx.p = x
        ctx.q = y
        add_kernel[(1,)](x, y, out, x.numel(), BLOCK=1024)
        z = ctx.p * ctx.q
        return z


def kernel_fn(x, y):
    return F.apply(x, y)
