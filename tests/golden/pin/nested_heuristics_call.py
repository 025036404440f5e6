# croq pin --index 0
"""Everything applied by calls, one inside of the other."""
import torch
import triton
import triton.language as tl


def raw(x, y, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * (2 if EVEN else 3), mask=i < n)


scale = triton.autotune([triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], ["n"])(
    triton.heuristics({"EVEN": lambda a: a["n"] % a["BLOCK"] == 0})(triton.jit(raw)))


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
