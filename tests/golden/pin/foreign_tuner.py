# croq pin --index 0
"""A decorator of another package that tunes."""
import torch
import triton
import triton.language as tl

from package import cached_autotune


@cached_autotune(configs=[triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)
