# expect: reject E207
"""torch.nn.Module finds attributes in its own way."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


class Evil(torch.nn.Module):
    def __getitem__(self, g):
        return lambda x, y, o, n, BLOCK: torch.mm(x, y, out=o)


class C(torch.nn.Module):
    def late(self):
        self.kernel = add_kernel
    def forward(self, x, y):
        out = torch.empty_like(x)
        self.kernel[(1,)](x, y, out, x.numel(), BLOCK=1024)
        return out


OP = C()
OP.add_module("kernel", Evil())


def kernel_fn(x, y):
    return OP(x, y)
