# croq pin --config "scale.BLOCK=128,other.BLOCK=256"
"""Settings that come from another file are warned about."""
import torch
import triton
import triton.language as tl
import os as settings

EXTRA = {"cache_results": False, "restore_value": None}


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def other(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)


def launch(x):
    y = torch.empty_like(x)
    scale[(8,)](x, y, x.numel(), BLOCK=128, num_warps=4, num_stages=3)
    other[(1,)](y, BLOCK=256, num_warps=4, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
