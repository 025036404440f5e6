# croq pin --config "BLOCK=512,num_warps=8"
"""Importing this file needs a GPU; pinning it does not."""
import torch
import triton
import triton.language as tl

NUM_SMS = torch.cuda.get_device_properties(torch.cuda.current_device()).multi_processor_count


def configs():
    blocks = (256, 512) if NUM_SMS > 100 else (128,)
    return [triton.Config({"BLOCK": block}, num_warps=8) for block in blocks]


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    scale[(min(NUM_SMS, triton.cdiv(x.numel(), 512)),)](x, y, x.numel(), BLOCK=512, num_warps=8, num_stages=3)
    return y
