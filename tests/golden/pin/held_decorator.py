# croq pin --index 1
"""The decorator stands in a variable, its list in another; both are dead afterwards."""
import torch
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256}, num_warps=8)]
tuned = triton.autotune(configs=CONFIGS, key=["n"])


@tuned
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
