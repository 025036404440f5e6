# croq pin --index 0
"""Triton under three names, and the autotuner from where it is defined."""
import torch
import triton
import triton as tri
import triton.language as tl

from triton.runtime.autotuner import autotune as deep, Config


@deep([Config({"BLOCK": 128}), tri.Config({"BLOCK": 256})], ["n"])
@tri.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


ALL = [scale]


def launch(x):
    y = torch.empty_like(x)
    for kernel in ALL:
        kernel[(8,)](x, y, x.numel())
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
