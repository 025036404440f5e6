# croq pin --index 0
"""The hook would get another tensor than the launch."""
import torch
import triton
import triton.language as tl


def clear(args):
    args["out"].zero_()


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, pre_hook=clear), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


def launch(x):
    total[(1,)](x, torch.empty(1), x.numel())


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
