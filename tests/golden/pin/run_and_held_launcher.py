# croq pin --index 1
"""kernel.run, and a launcher kept in a variable."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale.run(x, y, n, grid=(4,), warmup=False)
    run = scale[(4,)]
    run(x, y, n)
    run(y, x, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
