"""How long a reference function takes on the GPU, by CUDA events, as torch's users would run it.

A figure holds what torch's launches cost on the host where they are slower than the GPU.
"""

from __future__ import annotations

import statistics
import traceback
from typing import Any, Callable

import torch

#: The contract's counts.
_WARMUP, _TIMED = 10, 50
_COLD_SAMPLES = 20
#: Cleared before each cold call; over twice the L2 of any GPU so far.
_FLUSH_BYTES = 256 << 20
#: A slow reference is timed with fewer calls, to stay below about this long.
_MAX_SECONDS = 10.0


def measure(function: Callable[..., Any], arguments: dict[str, Any],
            dtype: str) -> dict[str, Any]:
    """{"contract_ms", "cold_ms", "time_problem"}: milliseconds of one call with these arguments.

    A function that takes float32 inputs alone is no error: time_problem says so.
    """
    torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32fp32"
    try:
        first = _loop(function, arguments, 2)
        share = min(1.0, _MAX_SECONDS * 1e3 / (first * (_WARMUP + _TIMED + _COLD_SAMPLES) + 1e-9))
        _loop(function, arguments, max(1, round(_WARMUP * share)))
        contract = _loop(function, arguments, max(3, round(_TIMED * share)))
        cold = _cold(function, arguments, max(3, round(_COLD_SAMPLES * share)))
        return {"contract_ms": contract, "cold_ms": cold, "time_problem": ""}
    except Exception as error:
        traceback.print_exception(error)
        return {"contract_ms": 0.0, "cold_ms": 0.0,
                "time_problem": f"{type(error).__name__}: {error}"[:500]}


def _loop(function: Callable[..., Any], arguments: dict[str, Any], count: int) -> float:
    """Milliseconds of a call, from one pair of events around `count` of them."""
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(count):
        function(**arguments)
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) / count


def _cold(function: Callable[..., Any], arguments: dict[str, Any], count: int) -> float:
    """The median of calls that each find the L2 full of other data."""
    flush = torch.empty(_FLUSH_BYTES, dtype=torch.int8, device="cuda")
    pairs = []
    for _ in range(count):
        flush.zero_()
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        function(**arguments)
        stop.record()
        pairs.append((start, stop))
    torch.cuda.synchronize()
    return statistics.median(start.elapsed_time(stop) for start, stop in pairs)
