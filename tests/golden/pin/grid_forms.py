# croq pin --index 1
"""Grids: a def, a named lambda, a tuple with the block's size from elsewhere."""
import torch
import triton
import triton.language as tl

BLOCK = 256


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def grid(meta):
    return (triton.cdiv(1000, meta["BLOCK"]), 1)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[grid](x, y, n)
    named = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    scale[named](x, y, n)
    scale[(triton.cdiv(n, BLOCK), 1, 1)](x, y, n)
    scale[triton.cdiv(n, BLOCK),](x, y, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
