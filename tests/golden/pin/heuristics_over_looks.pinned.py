# croq pin --index 0
"""A heuristic over the autotuner that asks for BLOCK must go on not finding it."""
import torch
import triton
import triton.language as tl


@triton.heuristics({"WIDE": lambda args: args.get("BLOCK", 1) >= 256})
@triton.heuristics({"BLOCK": lambda _: 256, "num_warps": lambda _: 4, "num_stages": lambda _: 3})
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
