# croq pin --index 1
"""kernel.fn is the plain kernel; callers there pass their own constants."""
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


plain = scale


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[(triton.cdiv(n, 64),)](x, y, n, BLOCK=64, num_warps=2)
    scale[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256, num_warps=4, num_stages=3)
    plain[(1,)](x, y, 32, BLOCK=32)
    scale.run(x, y, n, BLOCK=32, grid=(2,), warmup=False)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
