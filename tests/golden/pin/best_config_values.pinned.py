# croq pin --index 1
"""Values of best_config are written down where they are read."""
import torch
import triton
import triton.language as tl


@triton.jit
def partial(x, part, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(part + tl.program_id(0), tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


def launch(x):
    n = x.numel()
    part = torch.zeros(triton.cdiv(n, 128))
    partial[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, part, n, BLOCK=256, num_warps=8, num_stages=3)
    used = triton.cdiv(n, 256)
    warps = 8 + (None or 0)
    return part[:used] * warps


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
