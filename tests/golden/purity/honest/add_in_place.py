# expect: accept
"""The output is an input."""
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


def kernel_fn(x, y):
    add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x, x.numel(), BLOCK=1024)
    return x


def verify():
    x = torch.randn(4096, device="cuda")
    y = torch.randn(4096, device="cuda")
    expected = x + y
    kernel_fn(x, y)
    print("VERIFY: PASS" if torch.equal(x, expected) else "VERIFY: FAIL max_abs_err=1")
