# croq pin --index 1
"""Lines end in CR LF: Config.pre_hook runs before every launch: it is called by hand."""
import torch
import triton
import triton.language as tl


def clear(args):
    args["out"].zero_()


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


OUT = torch.full((1,), 7.0)


def launch(x):
    n = x.numel()
    clear({"out": OUT})
    total[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, OUT, n, BLOCK=256, num_warps=4, num_stages=3)
    clear({"out": OUT})
    total[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, OUT, n, BLOCK=256, num_warps=4, num_stages=3)
    return OUT


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
