# croq pin --index 1
"""restore_value shields trials only; the argument may even be None."""
import torch
import triton
import triton.language as tl


@triton.jit
def step(x, y, state, n, HAS_STATE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m)
    if HAS_STATE:
        v += tl.load(state + i, mask=m)
        tl.store(state + i, v, mask=m)
    tl.store(y + i, v, mask=m)


def launch(x, state=None):
    y = torch.empty_like(x)
    step[lambda m: (triton.cdiv(x.numel(), m["BLOCK"]),)](x, y, state, x.numel(), state is not None, BLOCK=256, num_warps=4, num_stages=3)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
