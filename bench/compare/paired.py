"""Ratios of interleaved pairs with their intervals, and what sums them up. Pure.

The method is that of src/croq/measure/paired.h: Hodges and Lehmann's estimate on the logarithms of
the pairs' ratios (the median of all pairwise averages), with the interval that inverts Wilcoxon's
signed-rank test (Hollander and Wolfe, Nonparametric Statistical Methods, 3.2 and 3.3).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

CONFIDENCE = 0.95

# Exact up to here; beyond, the normal approximation is off by less than one place in thousands.
_EXACT_PAIRS = 60


@dataclass(frozen=True)
class Ratio:
    """Reference time over contestant's time: above 1 the contestant is faster.

    `low` and `high` are None where there are too few pairs for an interval.
    """

    value: float
    low: float | None
    high: float | None
    pairs: int

    @property
    def slower(self) -> bool:
        """The whole interval lies below 1."""
        return self.high is not None and self.high < 1

    def to_json(self) -> dict[str, Any]:
        return {"value": self.value, "low": self.low, "high": self.high, "pairs": self.pairs}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Ratio:
        return cls(fields["value"], fields["low"], fields["high"], fields["pairs"])


def paired_ratio(contestant_ms: Sequence[float], reference_ms: Sequence[float],
                 confidence: float = CONFIDENCE) -> Ratio | None:
    """The ratio of pairs that were run next to each other; None where no pair counts.

    Pairs with a time that is not above 0 and finite are left out; a longer list's tail is ignored.
    """
    logs = [math.log(reference / contestant)
            for contestant, reference in zip(contestant_ms, reference_ms)
            if 0 < contestant < math.inf and 0 < reference < math.inf]
    if not logs:
        return None
    averages = sorted(0.5 * (first + second) for index, first in enumerate(logs)
                      for second in logs[index:])
    value = math.exp(statistics.median(averages))
    critical = _critical(len(logs), 0.5 * (1 - confidence))
    if critical == 0:
        return Ratio(value, None, None, len(logs))
    return Ratio(value, math.exp(averages[critical - 1]), math.exp(averages[-critical]), len(logs))


def _critical(pairs: int, tail: float) -> int:
    """The largest w with P(W < w) <= tail, W Wilcoxon's statistic without an effect."""
    return _exact(pairs, tail) if pairs <= _EXACT_PAIRS else _approximate(pairs, tail)


def _exact(pairs: int, tail: float) -> int:
    """By the distribution of a sum of ranks 1..n, each taken with probability 1/2."""
    probability = [1.0]
    for rank in range(1, pairs + 1):
        longer = [0.0] * (len(probability) + rank)
        for total, share in enumerate(probability):
            longer[total] += 0.5 * share
            longer[total + rank] += 0.5 * share
        probability = longer
    below = 0.0
    for place, share in enumerate(probability):
        if below + share > tail:
            return place
        below += share
    return len(probability)


def _approximate(pairs: int, tail: float) -> int:
    """By the normal distribution, with continuity correction."""
    mean = pairs * (pairs + 1) / 4
    deviation = math.sqrt(pairs * (pairs + 1) * (2 * pairs + 1) / 24)
    return max(0, math.floor(mean + statistics.NormalDist().inv_cdf(tail) * deviation + 0.5))


def geometric_mean(values: Sequence[float]) -> float | None:
    """None of nothing."""
    return math.exp(statistics.fmean(map(math.log, values))) if values else None
