# croq pin --index 1
"""The tuned kernel is a class attribute, made by a call."""
import torch
import triton
import triton.language as tl


@triton.jit
def plain(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


class Ops:
    scale = triton.heuristics({"BLOCK": lambda _: 256, "num_warps": lambda _: 4, "num_stages": lambda _: 3})(plain)

    def run(self, x, y):
        type(self).scale[(4,)](x, y, x.numel())


def launch(x):
    y = torch.empty_like(x)
    Ops().run(x, y)
    Ops.scale[(4,)](x, y, x.numel())
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
