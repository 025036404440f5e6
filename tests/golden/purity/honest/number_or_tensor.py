# expect: accept
"""An argument that is a number or a tensor."""
from typing import Union

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def kernel_fn(x, y, offset: Union[int, torch.Tensor] = 0):
    out = torch.empty_like(x)
    n = x.numel()
    if isinstance(offset, torch.Tensor):
        assert offset.shape == (1,)
        offset = offset.contiguous()
        first = 0
    else:
        assert offset + n <= 2 * n
        first = offset * 2
    add_kernel[(triton.cdiv(n + 0 * first, 1024),)](x, y, out, n, BLOCK=1024)
    return out
