"""Rows as `run` would write them, from times that are made up. Makes bench/compare importable."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from compare import rows  # noqa: E402
from compare.contestant import BAR, TITLES  # noqa: E402


def noisy(ms: float, count: int, rng: random.Random) -> list[float]:
    """Times around `ms`, within 1%."""
    return [ms * rng.uniform(0.99, 1.01) for _ in range(count)]


def entry(key: str, name: str, times: dict[str, list[float]], seconds: float) -> dict[str, Any]:
    """A contestant that was measured."""
    figures = rows.figures(key, name, times)
    return {"status": "measured", "reason": "", "seconds": seconds, "detail": "", "notes": [],
            "max_abs_err": 1e-4, "kernels": [], "cold": figures, "sustained": figures}


def row(key: str, speeds: dict[str, float], *, gpu: str = "NVIDIA H200",
        within: float | None = 21.5, seed: int = 0) -> rows.Row:
    """A row in which each contestant is that much faster than the bar of 1 ms."""
    rng = random.Random(seed)
    times = {BAR: noisy(1.0, 60, rng),
             **{name: noisy(1.0 / speed, 60, rng) for name, speed in speeds.items()}}
    state = {"sm_clock_mhz": {"min": 1500, "median": 1750, "max": 1980},
             "power_w": {"min": 300.0, "median": 650.0, "max": 700.0},
             "throttled_by": ["software power cap"]}
    return {
        "format": rows.FORMAT, "shape_key": key, "command": f"python3 bench/compare run {key}",
        "measured_at": "2026-01-02T03:04:05Z",
        "machine": {"gpu": gpu, "sms": 132, "l2_bytes": 60 * 2**20, "driver": "580.1",
                    "power_limit_w": 700.0, "cores": 16},
        "versions": {"croq": "0.1.0", "python": "3.12.3", "torch": "2.11.0", "cuda": "13.0",
                     "triton": "3.6.0", "cublas_lt": "130100"},
        "settings": {}, "gpu_state": {"cold": state, "sustained": None},
        "croq": {"wall_seconds": 80.0, "command": "croq tune",
                 "session": {"seconds_to_within": within}},
        "contestants": {name: entry(key, name, times, 10.0 + place)
                        for place, name in enumerate(TITLES) if name in times},
        "seconds": 200.0}


def unsupported(made: rows.Row) -> rows.Row:
    """The row with a croq that has no such operator."""
    made["contestants"]["croq"] = {
        "status": "unsupported", "reason": "unknown dtype 'e4m3fp32'", "seconds": 0.1,
        "detail": "", "notes": [], "max_abs_err": None, "kernels": []}
    made["croq"]["session"] = None
    return made
