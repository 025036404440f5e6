# croq pin --config "BLOCK=1024"
"""Some configurations have a hook and others not: which is meant can't be told."""
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
    out = torch.zeros(1)
    total[(1,)](x, out, x.numel())
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
