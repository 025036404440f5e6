# croq pin --index 0
"""A hook of the autotuner itself runs at the first launch of a key only."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"],
                 pre_hook=lambda args, reset_only=False: args["out"].zero_())
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


def launch(x):
    out = torch.zeros(1)
    total[(1,)](x, out, x.numel())
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
