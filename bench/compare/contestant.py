"""Who is compared: a way to compute C, how long it took to get there, or why it is not there."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any

from .errors import OutOfTime

if TYPE_CHECKING:
    from .operands import OperandSet

BAR = "torch_matmul"

# Names in rows, with their titles in tables.
TITLES = {
    BAR: "torch.matmul",
    "croq": "croq",
    "cublaslt_best": "cublasLt, best of 8",
    "autotune": "@triton.autotune, 72",
    "inductor": "Inductor max-autotune",
}

# What a contestant can end as.
MEASURED, UNSUPPORTED, FAILED, WRONG = "measured", "unsupported", "failed", "wrong"

# Computes C of a set, asynchronously on the current stream; returns what it wrote.
Call = Callable[["OperandSet"], Any]


@dataclass
class Contestant:
    """`call` is None where it could not be had; status and reason then say why."""

    name: str
    call: Call | None = None
    status: str = MEASURED
    reason: str = ""
    seconds: float | None = None  # from nothing to the first result
    detail: str = ""  # what it chose
    max_abs_err: float | None = None
    notes: list[str] = field(default_factory=list)

    def drop(self, status: str, reason: str) -> None:
        """Takes it out of the race."""
        self.call, self.status, self.reason = None, status, reason


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises OutOfTime in the body after that long. Main thread only; not nestable."""
    def on_alarm(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTime(f"not done after {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def enter(name: str, build: Callable[[], Contestant], finish: Callable[[], None],
          limit: float) -> Contestant:
    """Builds a contestant and times it. `build` ends with a first result, `finish` waits for it.

    Whatever goes wrong with one is its own row's business, never the others'.
    """
    began = time.monotonic()
    try:
        with time_limit(limit):
            contestant = build()
            finish()
    except OutOfTime as error:
        return Contestant(name, status=FAILED, reason=str(error),
                          seconds=time.monotonic() - began)
    except Exception as error:  # the tools raise what they like
        text = (str(error).strip() or type(error).__name__).splitlines()[0]
        return Contestant(name, status=FAILED, reason=f"{type(error).__name__}: {text}"[:300],
                          seconds=time.monotonic() - began)
    if contestant.seconds is None:
        contestant.seconds = time.monotonic() - began
    return contestant
