# croq pin --index 0
"""A caller that passes another value: the autotuner refuses it, so does croq."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    scale[(8,)](x, y, x.numel(), BLOCK=64)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
