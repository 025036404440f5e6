# croq pin --index 0
"""An index into a list that only exists at run time."""
import torch
import triton
import triton.language as tl

import os


@triton.autotune(configs=[triton.Config({"BLOCK": b}) for b in range(128, 256, os.cpu_count())], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y
