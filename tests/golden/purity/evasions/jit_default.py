# expect: reject E603
"""A default argument of a kernel."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr = torch.randint(1, 2, ()).item() * 1024):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def kernel_fn(x, y):
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
    return out


def verify():
    x = torch.randn(1 << 20, device="cuda")
    y = torch.randn(1 << 20, device="cuda")
    error = (kernel_fn(x, y) - (x + y)).abs().max().item()
    print("VERIFY: PASS" if error < 1e-6 else f"VERIFY: FAIL max_abs_err={error}")


if __name__ == "__main__":
    verify()
