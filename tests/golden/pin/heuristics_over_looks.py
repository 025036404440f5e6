# croq pin --index 0
"""A heuristic over the autotuner that asks for BLOCK must go on not finding it."""
import torch
import triton
import triton.language as tl


@triton.heuristics({"WIDE": lambda args: args.get("BLOCK", 1) >= 256})
@triton.autotune(configs=[triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr, WIDE: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * (2 if WIDE else 3), mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    scale[(4,)](x, y, x.numel())
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
