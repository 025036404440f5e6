# croq pin --index 1
"""kernel.run, and a launcher kept in a variable."""
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale.run(x, y, n, grid=(4,), warmup=False, BLOCK=256, num_warps=4, num_stages=3)
    run = scale[(4,)]
    run(x, y, n, BLOCK=256, num_warps=4, num_stages=3)
    run(y, x, n, BLOCK=256, num_warps=4, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
