# croq pin --index 0
"""The launcher makes the argument, of whatever lies about."""
import torch
import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


def launch(x):
    out = torch.full((1,), 7.0)
    n = x.numel()
    total[lambda m: (triton.cdiv(n, m["BLOCK"]),)](x, out=out.zero_(), n=n, BLOCK=128, num_warps=4, num_stages=3)
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
