# croq pin --index 0
"""The caller never zeroes: the launch does it from now on."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"], reset_to_zero=["out"])
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


_OUT = None


def launch(x):
    global _OUT
    if _OUT is None:
        _OUT = torch.full((1,), 7.0)
    total[lambda m: (triton.cdiv(x.numel(), m["BLOCK"]),)](x, _OUT, x.numel())
    return _OUT.clone()


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
