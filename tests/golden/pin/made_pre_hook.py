# croq pin --config "total.BLOCK=128,other.BLOCK=128"
"""The hook is made by a function, of the name to clear."""
import torch
import triton
import triton.language as tl


def init_to_zero(name):
    """Clears one argument."""
    return lambda nargs: nargs[name].zero_()


def clear_all(names):
    def hook(nargs):
        for name in names:
            if name in nargs and nargs.get("keep", 0) == 0:
                nargs[name].zero_()
    return hook


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, pre_hook=init_to_zero("out")), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, pre_hook=clear_all(["x", "out"])), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def other(x, out, n, BLOCK: tl.constexpr):
    tl.store(out, n)


def launch(x):
    out = torch.full((1,), 7.0)
    total[(8,)](x.contiguous(), out, x.numel())
    other[(1,)](out=out, x=x, n=x.numel())
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
