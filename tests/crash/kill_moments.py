"""Chooses when a croq is killed: at once, between events, while an iteration is written."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from croq_run import CroqRun, Event

Wanted = Callable[[list[Event]], bool]


def _seen(name: str, count: int = 1) -> Wanted:
    return lambda events: sum(event["event"] == name for event in events) >= count


def _writing(events: list[Event]) -> bool:
    """An iteration is being written and not yet stored."""
    for event in reversed(events):
        if event["event"] in ("iteration", "attempt", "round"):
            return False
        if event["event"] == "progress" and "writing" in event.get("phase", ""):
            return True
    return False


@dataclass
class Moments:
    """Draws moments. What croq takes for a start and for writing is learnt from earlier runs."""

    random: random.Random
    longest: float                 # seconds
    start_seconds: float = 3
    writing_seconds: float = 3
    drawn: Counter[str] = field(default_factory=Counter)

    #: kind and weight
    KINDS = {"time": 4, "started": 2, "trials": 3, "writing": 5, "stored": 1}

    def await_one(self, run: CroqRun) -> str:
        """Returns, with the moment's kind, when the run is to be killed."""
        kind = self.random.choices(list(self.KINDS), list(self.KINDS.values()))[0]
        begin = time.monotonic()
        # A machine that is short of cores must still get as far as the events.
        longest = max(self.longest, 3 * self.start_seconds)
        came = True
        if kind == "time":
            self._pause(run, self.random.uniform(0.05, 2 * self.start_seconds))
        elif kind == "started":
            came = run.wait_for(_seen("started"), longest)
            self._pause(run, self.random.uniform(0, self.start_seconds))
        elif kind == "trials":
            came = run.wait_for(_seen("trial", self.random.randint(1, 4)), longest)
            self._pause(run, self.random.uniform(0, 0.5))
        elif kind == "writing":
            came = run.wait_for(_writing, longest)
            self._pause(run, self.random.uniform(0, 1.2 * self.writing_seconds))
        else:
            came = run.wait_for(lambda events: _seen("iteration")(events) or
                                _seen("baseline")(events), longest)
            self._pause(run, self.random.uniform(0, 0.02))
        self._learn(run, begin)
        kind = kind if came else "longest"
        self.drawn[kind] += 1
        return kind

    @staticmethod
    def _pause(run: CroqRun, seconds: float) -> None:
        run.wait_for(lambda events: False, seconds)

    def _learn(self, run: CroqRun, begin: float) -> None:
        """Moving averages of the two durations."""
        times = {}
        for event, at in zip(run.events, run.times):
            times.setdefault(event["event"], at)
            if event["event"] == "progress" and "writing" in event.get("phase", ""):
                times.setdefault("writing", at)
        start = times.get("started", time.monotonic()) - begin
        if "started" in times or start > self.start_seconds:  # killed before: it takes longer yet
            self.start_seconds += 0.5 * (start - self.start_seconds)
        if "writing" in times:
            # Killed before its end: it takes longer than that. An iteration that is always killed
            # would be taken up for ever.
            took = times.get("iteration", time.monotonic() + self.writing_seconds) - times["writing"]
            self.writing_seconds += 0.5 * (max(took, 0.1) - self.writing_seconds)

    def summary(self) -> str:
        """How many of each kind."""
        return ", ".join(f"{kind} {count}" for kind, count in sorted(self.drawn.items()))
