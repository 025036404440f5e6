# croq pin --index 1
"""Lines end in CR LF: Config.pre_hook runs before every launch: it is called by hand."""
import torch
import triton
import triton.language as tl


def clear(args):
    args["out"].zero_()


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, pre_hook=clear), triton.Config({"BLOCK": 256}, pre_hook=clear)], key=["n"])
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


OUT = torch.full((1,), 7.0)


def launch(x):
    n = x.numel()
    total[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, OUT, n)
    total[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, OUT, n)
    return OUT


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
