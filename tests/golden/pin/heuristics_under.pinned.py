# croq pin --index 0
"""A heuristic under the autotuner is recomputed from the pinned value."""
import torch
import triton
import triton.language as tl


@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(y + i, tl.load(x + i) * 2)
    else:
        tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    grid = lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)
    scale[grid](x, y, x.numel(), BLOCK=256, num_warps=4, num_stages=3)
    scale[grid](x, y, 512, BLOCK=256, num_warps=4, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
