# expect: reject E308
"""Whether an object is true computes."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


class B:
    def __init__(self, x, y, o):
        self.a = (x, y, o)
    def __bool__(self):
        torch.mm(self.a[0], self.a[1], out=self.a[2])
        return True


def kernel_fn(x, y):
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
    if B(x, y, out):
        pass
    return out
