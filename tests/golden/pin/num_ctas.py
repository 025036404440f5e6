# croq pin --index 0
"""num_ctas, and a kernel that reads it as a parameter."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, num_ctas=1), triton.Config({"BLOCK": 256}, num_ctas=2)], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr, num_ctas: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * num_ctas, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
