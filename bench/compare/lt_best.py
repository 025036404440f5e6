"""cublasLt's best of its first 8 heuristics: asked for, checked, timed, the fastest taken."""

from __future__ import annotations

import random
import statistics
import time

import torch

from . import operands, timing
from .cases import Case
from .contestant import FAILED, Contestant
from .cublas_lt import CublasLt, loaded_library
from .cuda_stage import CudaStage
from .operands import OperandSet

COUNT = 8

# What torch gives its own cuBLAS handle on Hopper (CublasHandlePool.cpp).
_WORKSPACE_BYTES = 32 * 2**20

_ROUNDS = 15
_WARMUPS = 2
_MOST_SECONDS = 6.0


class _Answers:
    """The library's answers for a case, called on operand sets."""

    def __init__(self, case: Case, first: OperandSet) -> None:
        # It stays alive as long as an answer is called.
        self.workspace = torch.empty(_WORKSPACE_BYTES, dtype=torch.uint8, device="cuda")
        self.lt = CublasLt(loaded_library(), case, self.workspace.data_ptr(), _WORKSPACE_BYTES)
        if first.scale_a is not None and first.scale_b is not None:
            # All sets of a case have equal scales, so those of the first serve.
            self._scales = (first.scale_a, first.scale_b)
            self.lt.scale_by(first.scale_a.data_ptr(), first.scale_b.data_ptr())
        self.lt.ask(COUNT)

    def call(self, index: int, operands: OperandSet) -> torch.Tensor:
        self.lt.matmul(index, operands.a.data_ptr(), operands.b.data_ptr(), operands.c.data_ptr(),
                       torch.cuda.current_stream().cuda_stream)
        return operands.c


def _right(answers: _Answers, case: Case, first: OperandSet, bound: float) -> list[int]:
    """The answers that run and are right."""
    found = []
    for index in range(answers.lt.answers):
        operands.spoil(first)
        try:
            output = answers.call(index, first)
        except Exception:  # the library may refuse what it offered
            continue
        if operands.largest_error(first, output) <= bound:
            found.append(index)
    return found


def build(case: Case, first: OperandSet, stage: CudaStage, bound: float,
          typical_ms: float) -> Contestant:
    """The fastest, cold, among those whose error is within `bound`. `typical_ms` is the bar's."""
    began = time.monotonic()
    answers = _Answers(case, first)
    seconds = time.monotonic() - began
    usable = _right(answers, case, first, bound)
    name = "cublaslt_best"
    if not usable:
        return Contestant(name, status=FAILED, reason=f"none of {answers.lt.answers} answers of "
                          "cublasLt's heuristic runs and is right")
    began = time.monotonic()
    rounds = timing.rounds_for(_MOST_SECONDS, typical_ms * len(usable), 4, _ROUNDS)
    times = timing.cold(stage, {str(index): lambda index=index: answers.call(index, first)
                                for index in usable},
                        rounds, random.Random(0), _WARMUPS)
    medians = {index: statistics.median(times[str(index)]) for index in usable}
    best = min(usable, key=lambda index: medians[index])
    gain = medians[usable[0]] / medians[best]
    # Asking and timing; the checks are this program's own.
    seconds += time.monotonic() - began
    return Contestant(name, lambda operands: answers.call(best, operands), seconds=seconds,
                      detail=f"heuristic {best} of {answers.lt.answers}, {gain:.3f} of the first")
