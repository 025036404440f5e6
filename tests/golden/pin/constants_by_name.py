# croq pin --index 0
"""The configuration's values are names of constants and Triton types."""
import torch
import triton
import triton.language as tl

SMALL = 128
C = {"BLOCK": SMALL, "T": tl.float16}


@triton.autotune(configs=[triton.Config(C), triton.Config(dict(BLOCK=-(-256), T=tl.float32))], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr, T: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n).to(T), mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
