# croq pin --index 0
"""A configuration of launch options alone."""
import torch
import triton
import triton.language as tl


@triton.autotune([triton.Config({}, num_warps=2), triton.Config({}, num_warps=8)], ["n"])
@triton.jit
def mark(x, n):
    tl.store(x, n)


def launch(x):
    mark[(1,)](x, x.numel())


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
