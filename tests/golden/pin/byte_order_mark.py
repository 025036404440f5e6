# croq pin --index 1
"""Begins with a byte order mark: a list of Configs, a grid lambda that reads META."""
import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 128}, num_warps=4),
        triton.Config({"BLOCK": 256}, num_warps=8, num_stages=2),  # the middle one
        triton.Config({"BLOCK": 512}),
    ],
    key=["n"],
)
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
