# croq pin --kernel scale --index 0
"""The kernel is another file's."""
import torch
import triton
import triton.language as tl

from kernels import scale


@triton.autotune(configs=[triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def other(x, n, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)


def launch(x, y):
    scale[(8,)](x, y, x.numel())
