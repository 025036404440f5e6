# croq pin --index 0
"""A configuration of launch options alone."""
import torch
import triton
import triton.language as tl


@triton.jit
def mark(x, n):
    tl.store(x, n)


def launch(x):
    mark[(1,)](x, x.numel(), num_warps=2, num_stages=3)


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
