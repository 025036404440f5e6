# expect: reject E104
"""The name is asked again after it was bound to a tensor."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def kernel_fn(x, y, n=1):
    out = torch.empty_like(x)
    add_kernel[(1,)](x, y, out, x.numel(), BLOCK=1024)
    if not isinstance(n, torch.Tensor):
        n = x
        if isinstance(n, torch.Tensor):
            pass
        else:
            n * 2
        n * 2
    return out
