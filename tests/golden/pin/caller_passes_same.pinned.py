# croq pin --index 0
"""A caller that passes the pinned value itself keeps it."""
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    scale[(8,)](x, y, x.numel(), BLOCK=128, num_warps=4, num_stages=3)
    if x.numel() < 0:
        scale[(8,)](x, y, x.numel(), BLOCK=128, num_warps=4, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
