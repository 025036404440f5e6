"""torch.compile with max-autotune, as a person would call it."""

from __future__ import annotations

from collections.abc import Callable

import torch

from .cases import Case
from .contestant import Contestant
from .library import in_precision
from .operands import OperandSet

# CUDA graphs would time the copies into their own buffers as well.
_MODE = "max-autotune-no-cudagraphs"


def _function(case: Case) -> Callable[..., torch.Tensor]:
    if case.scaled:
        def scaled(a: torch.Tensor, b: torch.Tensor, scale_a: torch.Tensor,
                   scale_b: torch.Tensor) -> torch.Tensor:
            return torch._scaled_mm(a, b.T, scale_a, scale_b, out_dtype=torch.bfloat16,
                                    use_fast_accum=True)
        return scaled
    if case.transposed:
        return lambda a, b: a @ b.T
    return lambda a, b: a @ b


def build(case: Case, first: OperandSet) -> Contestant:
    """Compiles at the first call. The compiled function allocates its output itself."""
    compiled = torch.compile(_function(case), mode=_MODE, dynamic=False, fullgraph=True)

    def product(operands: OperandSet) -> torch.Tensor:
        if case.scaled:
            return compiled(operands.a, operands.b, operands.scale_a, operands.scale_b)
        return compiled(operands.a, operands.b)

    call = in_precision(case, product)
    call(first)
    return Contestant("inductor", call, detail=f'torch.compile(mode="{_MODE}")')
