"""Inputs, outputs and the float32 reference, on the GPU."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from .cases import Case

_DTYPES = {"f16fp32": torch.float16, "bf16fp32": torch.bfloat16, "f32": torch.float32,
           "tf32fp32": torch.float32, "e4m3fp32": torch.float8_e4m3fn}

# Elements of the reference at a time: the whole of a large C in float32 would not fit beside it.
_BLOCK_ELEMENTS = 2**28

_MOST_SETS = 200


@dataclass
class OperandSet:
    """One problem in memory: a [M, K], b [K, N] or, transposed, [N, K], c [M, N]; row-major.

    Scales are float32 tensors of one element, for FP8 alone.
    """

    a: torch.Tensor
    b: torch.Tensor
    c: torch.Tensor
    transposed: bool
    scale_a: torch.Tensor | None = None
    scale_b: torch.Tensor | None = None

    @property
    def b_kn(self) -> torch.Tensor:
        """B as a [K, N] view."""
        return self.b.T if self.transposed else self.b


def sets_for(case: Case, l2_bytes: int) -> int:
    """How many sets rotate, so that a set's turn comes after more than twice the L2 of others
    (of very small problems fewer: they are bound by their launches)."""
    return min(_MOST_SETS, math.ceil(2 * l2_bytes / case.set_bytes) + 1)


def make(case: Case, count: int, device: str = "cuda", seed: int = 0) -> list[OperandSet]:
    """Normal A and B, scaled so that C has a standard deviation of 0.25 whatever K is; of FP8 a
    quarter of that, as fast accumulation alone is off by more than the tolerance else."""
    generator = torch.Generator(device=device).manual_seed(seed)
    dtype = _DTYPES[case.dtype]
    scale = math.sqrt((0.0625 if case.scaled else 0.25) / math.sqrt(case.k))
    out = torch.bfloat16 if case.scaled else dtype
    shape_b = (case.n, case.k) if case.transposed else (case.k, case.n)

    def draw(shape: tuple[int, int]) -> torch.Tensor:
        values = torch.randn(shape, generator=generator, device=device,
                             dtype=torch.float32 if case.scaled else dtype)
        return values.to(dtype) if case.scaled else values.mul_(scale)

    def scales() -> torch.Tensor | None:
        return torch.full((), scale, device=device) if case.scaled else None

    return [OperandSet(draw((case.m, case.k)), draw(shape_b),
                       torch.empty((case.m, case.n), device=device, dtype=out), case.transposed,
                       scales(), scales()) for _ in range(count)]


def spoil(operands: OperandSet) -> None:
    """NaN all over C, so that what is not written is seen."""
    operands.c.fill_(math.nan)


def largest_error(operands: OperandSet, output: torch.Tensor) -> float:
    """The largest absolute difference to the product in IEEE float32; infinite for a NaN or a
    wrong shape."""
    if output.shape != operands.c.shape:
        return math.inf
    tf32 = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = False
    try:
        factor = 1.0
        if operands.scale_a is not None and operands.scale_b is not None:
            factor = float(operands.scale_a) * float(operands.scale_b)
        b = operands.b_kn.to(torch.float32)
        worst = torch.zeros((), device=output.device)
        step = max(1, _BLOCK_ELEMENTS // output.shape[1])
        for row in range(0, output.shape[0], step):
            expected = operands.a[row:row + step].to(torch.float32) @ b
            error = (output[row:row + step].to(torch.float32) - factor * expected).abs().max()
            worst = torch.maximum(worst, error)  # a NaN stays
        value = worst.item()
    finally:
        torch.backends.cuda.matmul.allow_tf32 = tf32
    return value if math.isfinite(value) else math.inf
