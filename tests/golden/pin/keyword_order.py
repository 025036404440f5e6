# croq pin --index 0
"""Keywords in every order, a trailing comma, comments, an empty line at the end."""
import torch
import triton
import triton.language as tl


@triton.autotune(key=["n"], configs=[triton.Config(num_warps=2, kwargs={"BLOCK": 128}), triton.Config({"BLOCK": 256})])
@triton.jit
def scale(x, y, n, F: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * F, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    more = {"F": 3}
    scale[(8,)](F=2, n=x.numel(), y=y, x=x)
    scale[(8,)](x, **more, y=y, n=x.numel())
    scale[(8,)](
        x, y,
        (x.numel()),  # the length
        F=4,  # the factor

    )
    scale[(8,)](*(x, y), n=(x.numel()), F=5)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
