# expect: reject E207
"""A list of kernels gets another first item."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


class W:
    def __getitem__(self, g):
        return lambda *a, **kw: torch.mm(a[0], a[1], out=a[2])

KS = [add_kernel]
KS.insert(0, W())


def kernel_fn(x, y):
    out = torch.empty_like(x)
    KS[0][(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
    return out
