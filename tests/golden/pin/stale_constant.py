# croq pin --index 1
"""A configuration names no parameter."""
import torch
import triton
import triton.language as tl


@triton.heuristics({"EVEN": lambda a: a["n"] % 2 == 0})
@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOK": 256})], key=["length"],
                 reset_to_zero=["outt"], restore_value=["buff"])
@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)
