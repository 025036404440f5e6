# croq pin --index 0
"""Another kernel may have written to it: zeroing would lose that."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"], reset_to_zero=["out"])
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


@triton.jit
def bias(out):
    tl.atomic_add(out, 1.0)


def launch(x):
    out = torch.zeros(1)
    bias[(1,)](out)
    total[(8,)](x, out, x.numel())
    return out
