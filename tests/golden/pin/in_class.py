# croq pin --index 1
"""A static method of a class, launched in three ways."""
import torch
import triton
import triton.language as tl


class Ops:
    """Example: put '@triton.autotune(configs=[...])' above your kernel."""

    @staticmethod
    @triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
    @triton.jit
    def scale(x, y, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)

    def run(self, x, y):
        self.scale[(4,)](x, y, x.numel())

    @classmethod
    def run_again(cls, x, y):
        cls.scale[(4,)](x, y, x.numel())


def launch(x):
    y = torch.empty_like(x)
    Ops().run(x, y)
    Ops.run_again(x, y)
    Ops.scale[(4,)](x, y, x.numel())
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
