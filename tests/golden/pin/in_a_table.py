# croq pin --kernel raw:17 --config BLOCK=64
"""Anonymous kernels of a table are named by their line."""
import torch
import triton
import triton.language as tl

C = [triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64})]
tuned = triton.autotune(configs=C, key=["n"])


def raw(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


TABLE = {"a": tuned(triton.jit(raw)),
         "b": triton.autotune(configs=[*C, triton.Config({"BLOCK": 128})], key=["n"])(triton.jit(raw))}


def launch(x):
    y = torch.empty_like(x)
    TABLE["b"][(16,)](x, y, x.numel())
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
