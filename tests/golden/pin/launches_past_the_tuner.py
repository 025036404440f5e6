# croq pin --index 1
"""kernel.fn is the plain kernel; callers there pass their own constants."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


plain = scale.fn


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale.fn[(triton.cdiv(n, 64),)](x, y, n, BLOCK=64, num_warps=2)
    scale[(triton.cdiv(n, 256),)](x, y, n)
    plain[(1,)](x, y, 32, BLOCK=32)
    scale.fn.run(x, y, n, BLOCK=32, grid=(2,), warmup=False)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
