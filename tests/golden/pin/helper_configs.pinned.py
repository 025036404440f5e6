# croq pin --config "BLOCK=512,num_warps=16,num_stages=1"
"""Configs come from a helper; its names stay, nothing calls it."""
import torch
import triton
import triton.language as tl


def configs():
    found = []
    for block in (128, 256, 512):
        found.append(triton.Config({"BLOCK": block}))
    return found


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, BLOCK=512, num_warps=16, num_stages=1)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
