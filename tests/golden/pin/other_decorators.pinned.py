# croq pin --index 0
"""An unknown decorator outside: it must see the same launches as before."""
import torch
import triton
import triton.language as tl


def counted(kernel):
    class Counted:
        launches = 0

        def __getitem__(self, grid):
            def run(*args, **kwargs):
                Counted.launches += 1
                assert "BLOCK" not in kwargs
                return kernel[grid](*args, **kwargs)
            return run
    return Counted()


@counted
@triton.heuristics({"BLOCK": lambda _: 256, "num_warps": lambda _: 4, "num_stages": lambda _: 3})
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
