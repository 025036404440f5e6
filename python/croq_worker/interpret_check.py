"""Inputs for a check on the CPU and the comparison with a float64 reference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from .dtypes import facts_of
from .messages import SCALE_BLOCK, Problem

#: c of the per-element bound; the accumulation term is c * sqrt(K) * 2^-24 * (|A| @ |B|).
BOUND_CONSTANT = 8.0
#: Half a unit in the last place of a float16 below its smallest normal number.
_F16_SUBNORMAL = 2.0**-25


@dataclass(frozen=True)
class Comparison:
    """`worst_ratio` is the largest |c - reference| over its bound: at most 1 for a right kernel."""

    max_abs_err: float
    worst_ratio: float
    nan_count: int


def make_inputs(m: int, n: int, k: int, seed: int, transposed_b: bool, half: bool
                ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Normal a [m, k] and b [k, n] (or [n, k]), scaled so that C has a standard deviation of 0.25.

    s_a = s_b = sqrt(0.25 / sqrt(k)), since C sums k products.
    """
    generator = np.random.default_rng(seed)
    scale = math.sqrt(0.25 / math.sqrt(k))
    dtype = np.float16 if half else np.float32
    a = (generator.standard_normal((m, k)) * scale).astype(dtype)
    b = (generator.standard_normal((n, k) if transposed_b else (k, n)) * scale).astype(dtype)
    return a, b


@dataclass(frozen=True)
class Operands:
    """`given` are the entry's tensors before c; `a` [m, k] and `b` [k, n] what they stand for, in
    float64."""

    given: list[torch.Tensor]
    a: np.ndarray[Any, Any]
    b: np.ndarray[Any, Any]


def make_operands(problem: Problem, seed: int) -> Operands:
    """What the entry of a problem is called with."""
    transposed = problem.b_is_nk
    facts = facts_of(problem.dtype)
    if not facts.scaled:
        a, b = make_inputs(problem.m, problem.n, problem.k, seed, transposed,
                           facts.operand == "float16")
        return Operands([torch.from_numpy(a.copy()), torch.from_numpy(b.copy())],
                        a.astype(np.float64), (b.T if transposed else b).astype(np.float64))
    generator = torch.Generator().manual_seed(seed % 2**63)
    shapes = problem.scale_shapes() or ()
    elements = [torch.randn(shape, generator=generator).to(facts.operand_dtype())
                for shape in ((problem.m, problem.k), problem.b_shape)]
    scales = [_scales(shape, problem.k, generator) for shape in shapes]
    a, b = (_dequantised(*pair) for pair in zip(elements, scales))
    return Operands([*elements, *scales], a, b.T)


def _scales(shape: tuple[int, ...], k: int, generator: torch.Generator) -> torch.Tensor:
    """Powers of two around what gives C a standard deviation of about 0.25; blocks' differ much."""
    spread = 3 if len(shape) == 2 else 0
    powers = torch.randint(-spread, spread + 1, shape, generator=generator)
    return math.sqrt(0.25 / math.sqrt(k)) / (1 + spread) * torch.exp2(powers.to(torch.float32))


def _dequantised(elements: torch.Tensor, scales: torch.Tensor) -> np.ndarray[Any, Any]:
    values = elements.to(torch.float64)
    if scales.dim() == 1:
        return (values * scales.to(torch.float64)).numpy()
    lines, depth = values.shape
    each = SCALE_BLOCK if scales.shape[0] < lines else 1
    factors = scales.to(torch.float64).repeat_interleave(each, 0)
    factors = factors.repeat_interleave(SCALE_BLOCK, 1)[:lines, :depth]
    return (values * factors).numpy()


def compare(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], c: np.ndarray[Any, Any],
            unit_roundoff: float, half: bool) -> Comparison:
    """Holds c against a @ b, element by element (b is [k, n] here).

    The bound is 1.01 u |reference| + c sqrt(k) 2^-24 (|a| @ |b|), with half a subnormal step more
    for float16. Elements that are not finite count in nan_count and in no error.
    """
    a64, b64, c64 = a.astype(np.float64), b.astype(np.float64), c.astype(np.float64)
    reference = a64 @ b64
    bound = 1.01 * unit_roundoff * np.abs(reference) + (
        BOUND_CONSTANT * math.sqrt(a.shape[1]) * 2.0**-24 * (np.abs(a64) @ np.abs(b64)))
    bound += _F16_SUBNORMAL if half else np.finfo(np.float32).tiny
    finite = np.isfinite(c64)
    error = np.abs(np.where(finite, c64, reference) - reference)
    return Comparison(float(error.max()), float((error / bound).max()),
                      int(c64.size - finite.sum()))
