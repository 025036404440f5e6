# croq pin --index 0
"""With one configuration Triton runs neither the hook nor reset_to_zero."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128})], key=["n"], reset_to_zero=["out"],
                 post_hook=lambda args, exception: print(exception))
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


def launch(x):
    out = torch.ones(1)
    total[(8,)](x, out, x.numel())
    return out


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
