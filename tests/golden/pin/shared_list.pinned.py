# croq pin --kernel scale --index 0
"""A list that another kernel still uses stays."""
import torch
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256}, num_warps=8)]


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def other(x, n, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, BLOCK=128, num_warps=4, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
