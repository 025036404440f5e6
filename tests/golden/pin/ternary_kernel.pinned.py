# croq pin --index 0
"""One of two kernels is launched."""
import torch
import triton
import triton.language as tl


@triton.heuristics({"BLOCK": lambda _: 128, "num_warps": lambda _: 4, "num_stages": lambda _: 3})
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def thrice(x, y, n, BLOCK: tl.constexpr = 32):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 3, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    for twice in (True, False):
        (scale if twice else thrice)[(8,)](x, y, x.numel())
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
