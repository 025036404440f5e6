# croq pin --index 1
"""Names are followed through imports and assignments."""
import torch
import triton as tr
import triton.language as L
from triton import Config as Cfg, autotune as retune, jit as kernel


@kernel
def scale(x, y, n, BLOCK: L.constexpr):
    i = L.program_id(0) * BLOCK + L.arange(0, BLOCK)
    L.store(y + i, L.load(x + i, mask=i < n) * 2, mask=i < n)


double = scale


def launch(x):
    y = torch.empty_like(x)
    double[(tr.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256, num_warps=8, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
