# expect: accept
"""Arithmetic on sizes, shapes taken apart, several outputs."""
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
    *batch, columns = x.shape
    rows = x.numel() // columns
    size = rows * columns
    flat, other = x.view(-1), y.view(-1)
    out = torch.empty(size, device=x.device, dtype=x.dtype)
    spare = torch.empty_like(out)
    block = max(64, min(4096, triton.next_power_of_2(columns)))
    warps = 4 if block < 2048 else 8
    grid = (triton.cdiv(size, block), 1, 1)
    add_kernel[grid](flat, other, out, size, BLOCK=block, num_warps=warps)
    add_kernel[grid](flat, out, spare, size, BLOCK=block, num_warps=warps)
    return out.view(*batch, columns), spare.view(*batch, columns)


def verify():
    return None
