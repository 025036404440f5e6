# croq pin --config "BLOCK=256,num_warps=8"
"""The hook goes through a helper's parameter, and reads everything it is given."""
import torch
import triton
import triton.language as tl


def clear(nargs):
    for name, value in nargs.items():
        if name == "out":
            value.zero_()


def configs(pre_hook=None):
    return [triton.Config({"BLOCK": b}, pre_hook=pre_hook) for b in (128, 256)]


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


def launch(x):
    out = torch.full((1,), 7.0)
    n = x.numel()
    clear({"x": x, "out": out, "n": n, "BLOCK": 256, "num_warps": 8, "num_ctas": 1, "num_stages": 3})
    total[(triton.cdiv(n, 256),)](x, out, n, BLOCK=256, num_warps=8, num_stages=3)
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
