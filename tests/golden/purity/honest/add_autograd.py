# expect: accept
"""An autograd.Function whose forward launches."""
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


class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        out = torch.empty_like(x)
        n = out.numel()
        ctx.save_for_backward(x, y)
        ctx.block = 1024
        add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n, BLOCK=ctx.block)
        return out

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


add = Add.apply


def kernel_fn(x, y):
    return add(x, y)


def verify():
    x = torch.randn(1 << 20, device="cuda")
    y = torch.randn(1 << 20, device="cuda")
    error = (kernel_fn(x, y) - (x + y)).abs().max().item()
    print("VERIFY: PASS" if error < 1e-6 else f"VERIFY: FAIL max_abs_err={error}")


if __name__ == "__main__":
    verify()
