# croq pin --config BLOCK=64
"""A function of the file puts the autotuner around its kernels."""
import torch
import triton
import triton.language as tl


def tuned(kernel):
    return triton.heuristics({"BLOCK": lambda _: 64, "num_warps": lambda _: 4, "num_stages": lambda _: 3})(triton.jit(kernel))


@tuned
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y
