"""@triton.autotune over 72 configurations of the tiled space."""

from __future__ import annotations

import torch
import triton

from . import tiled_configs
from .cases import ELEMENT_BYTES, Case
from .contestant import Call, Contestant
from .operands import OperandSet
from .tiled_kernel import autotuned


def _precision(case: Case) -> str:
    return "ieee" if case.dtype == "f32" else "tf32"


def launcher(case: Case, kernel: object) -> Call:
    """Calls an autotuned tiled kernel on a set."""
    def grid(meta: dict[str, int]) -> tuple[int]:
        return (triton.cdiv(case.m, meta["BLOCK_M"]) * triton.cdiv(case.n, meta["BLOCK_N"]),)

    def call(operands: OperandSet) -> torch.Tensor:
        kernel[grid](  # type: ignore[index]
            operands.a, operands.b, operands.c, operands.scale_a, operands.scale_b, case.m, case.n,
            case.k, operands.a.stride(0), operands.b.stride(0), operands.c.stride(0),
            TRANSPOSED=case.transposed, SCALED=case.scaled, PRECISION=_precision(case))
        return operands.c

    return call


def build(case: Case, first: OperandSet) -> Contestant:
    """Ready after one call, in which Triton compiles and times all of them."""
    configs = [triton.Config({"BLOCK_M": one.block_m, "BLOCK_N": one.block_n,
                              "BLOCK_K": one.block_k, "GROUP_M": one.group_m},
                             num_warps=one.num_warps, num_stages=one.num_stages)
               for one in tiled_configs.configurations(case, ELEMENT_BYTES[case.dtype])]
    kernel = autotuned(configs)
    call = launcher(case, kernel)
    call(first)
    best = getattr(kernel, "best_config", None)
    return Contestant("autotune", call, detail=str(best or ""))
