"""The bar: torch.matmul, and for FP8 torch._scaled_mm with fast accumulation."""

from __future__ import annotations

import torch

from .cases import Case
from .contestant import BAR, Call, Contestant
from .operands import OperandSet


def in_precision(case: Case, call: Call) -> Call:
    """The call with torch's switch for tf32 as the case wants it."""
    def in_tf32(operands: OperandSet) -> torch.Tensor:
        torch.backends.cuda.matmul.allow_tf32 = True
        try:
            return call(operands)
        finally:
            torch.backends.cuda.matmul.allow_tf32 = False

    return in_tf32 if case.dtype == "tf32fp32" else call


def product(case: Case) -> Call:
    """C by torch, written to the set's c, at the precision of the case."""
    def scaled(operands: OperandSet) -> torch.Tensor:
        return torch._scaled_mm(operands.a, operands.b_kn, operands.scale_a, operands.scale_b,
                                out_dtype=operands.c.dtype, use_fast_accum=True, out=operands.c)

    def matmul(operands: OperandSet) -> torch.Tensor:
        return torch.matmul(operands.a, operands.b_kn, out=operands.c)

    return scaled if case.scaled else in_precision(case, matmul)


def build(case: Case, first: OperandSet) -> Contestant:
    """Ready after one call, which loads the library and picks the kernel."""
    call = product(case)
    call(first)
    name = "torch._scaled_mm" if case.scaled else "torch.matmul"
    return Contestant(BAR, call, detail=name)
