# croq pin --index 1
"""A kernel made inside of a function, which gives it away."""
import torch
import triton
import triton.language as tl


def make():
    @triton.heuristics({"BLOCK": lambda _: 256, "num_warps": lambda _: 4, "num_stages": lambda _: 3})
    @triton.jit
    def scale(x, y, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)

    return scale


def launch(x):
    y = torch.empty_like(x)
    make()[(4,)](x, y, x.numel())
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
