# croq pin --kernel fast --config "BLOCK=128,num_warps=2"
"""The kernel comes out of a function; one of two tuned copies is pinned."""
import torch
import triton
import triton.language as tl


def body():
    @triton.jit
    def scale(x, y, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)
    return scale


A, B = triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})
fast = triton.autotune([A, B], key=["n"])(body())


def run(kernel, x, y):
    kernel[lambda m: (triton.cdiv(x.numel(), m["BLOCK"]),)](x, y, x.numel())


def launch(x):
    y = torch.empty_like(x)
    run(fast, x, y)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
