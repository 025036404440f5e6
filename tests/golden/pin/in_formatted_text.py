# croq pin --index 0
"""A launch inside of an f-string, where old Pythons misplace nodes."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y


def show(x, y):
    return f"{scale[(8,)](x, y, x.numel())} done"


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
