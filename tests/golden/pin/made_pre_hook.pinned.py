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


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


@triton.jit
def other(x, out, n, BLOCK: tl.constexpr):
    tl.store(out, n)


def launch(x):
    out = torch.full((1,), 7.0)
    init_to_zero("out")({"out": out})
    total[(8,)](x.contiguous(), out, x.numel(), BLOCK=128, num_warps=4, num_stages=3)
    clear_all(["x", "out"])({"x": x, "out": out})
    other[(1,)](out=out, x=x, n=x.numel(), BLOCK=128, num_warps=4, num_stages=3)
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
