# croq pin --index 0
"""A lambda as pre_hook, in a launch that is no statement of its own."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, pre_hook=lambda nargs: nargs["out"].fill_(nargs["BLOCK"])),
                          triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


def launch(x):
    out = torch.full((1,), 7.0)
    run = lambda: total[(2,)](x, out, x.numel())
    run()
    if out is not None: total[(1,)](x, out=out, n=x.numel())
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
