# expect: reject E207
"""A table of kernels is changed by another name."""
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

KS = {"a": add_kernel}
T = KS
T["a"] = W()


def kernel_fn(x, y):
    out = torch.empty_like(x)
    KS["a"][(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
    return out
