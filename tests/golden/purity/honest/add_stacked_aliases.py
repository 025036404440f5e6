# expect: accept
"""Aliases and decorators by call."""
import torch
import triton
import triton.language as tl
import triton as tr
from triton import jit, cdiv as blocks


@jit
def add_body(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=offsets < n), mask=offsets < n)


def plain(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) + tl.load(y_ptr + offsets))


add_kernel = add_body
even_kernel = tr.jit(plain)


def kernel_fn(x, y):
    out = torch.empty_like(x)
    n = x.numel()
    if n % 1024:
        add_kernel[(blocks(n, 1024),)](x, y, out, n, BLOCK=1024)
    else:
        even_kernel[(n // 1024,)](x, y, out, n, BLOCK=1024)
    return out


def verify():
    x = torch.randn(1 << 20, device="cuda")
    y = torch.randn(1 << 20, device="cuda")
    error = (kernel_fn(x, y) - (x + y)).abs().max().item()
    print("VERIFY: PASS" if error < 1e-6 else f"VERIFY: FAIL max_abs_err={error}")


if __name__ == "__main__":
    verify()
