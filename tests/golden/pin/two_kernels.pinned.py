# croq pin --config "scale.BLOCK=128,add.BLOCK=256,add.num_warps=8"
"""Several kernels of a file, each with its own configuration."""
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    scale[(8,)](x, y, x.numel(), BLOCK=128, num_warps=4, num_stages=3); add[(4,)](y, y, x.numel(), BLOCK=256, num_warps=8, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
