# expect: accept
"""The backward pass launches too."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, eps=1e-6):
        out = torch.empty_like(x)
        ctx.save_for_backward(x, y)
        ctx.eps = eps * 2
        add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
        return out

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        dx, dy = torch.empty_like(x), torch.empty_like(y)
        n = x.shape[0] * 1
        add_kernel[(triton.cdiv(n, 1024),)](grad, y, dx, n, BLOCK=1024)
        add_kernel[(triton.cdiv(n, 1024),)](grad, x, dy, n, BLOCK=1024)
        return dx, dy, None


def add(x, y):
    return Add.apply(x, y)
