# expect: accept
"""Sizes stand beside tensors in an object."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


class Plan:
    def __init__(self, x, block):
        self.x = x
        self.block = block
        self.blocks = triton.cdiv(x.numel(), block)


def kernel_fn(x, y):
    plan = Plan(x, 1024)
    out = torch.empty_like(x)
    count = plan.blocks + 0 * plan.block
    add_kernel[(count,)](plan.x, y, out, x.numel(), BLOCK=1024)
    return out
