# croq pin --index 3
"""A comprehension over literals; the hook goes with it."""
import torch
import triton
import triton.language as tl


def clear(nargs):
    nargs["out"].zero_()


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


def launch(x):
    out = torch.full((1,), 7.0)
    n = x.numel()
    clear({"out": out})
    total[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n, BLOCK=256, num_warps=4, num_stages=3)
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
