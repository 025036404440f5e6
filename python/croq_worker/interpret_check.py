"""Inputs for a check on the CPU and the comparison with a float64 reference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

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
