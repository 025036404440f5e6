# croq pin --index 0
"""The configuration's values are names of constants and Triton types."""
import torch
import triton
import triton.language as tl

SMALL = 128
C = {"BLOCK": SMALL, "T": tl.float16}


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr, T: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n).to(T), mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, BLOCK=128, T=tl.float16, num_warps=4, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
