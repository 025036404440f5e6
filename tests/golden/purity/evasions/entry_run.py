# expect: reject E102
"""No entry is named, and the launch is kernel.run."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def run(x, y):
    out = torch.empty_like(x)
    add_kernel.run(x, y, out, x.numel(), BLOCK=1024, grid=(1,), warmup=False)
    return torch.mm(x, y)
