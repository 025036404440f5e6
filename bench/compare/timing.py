"""Takes turns: which contestant is launched when, in both regimes. Knows no GPU: a Stage does.

cold: one launch at a time. A round holds the stream, then queues for each contestant, in an order
drawn anew: a flush of the L2, an event, the launch, an event. The hold makes sure that no short
kernel waits for the thread that launches it between its own events.
sustained: blocks of launches back to back, one block a contestant and round, again in random order.

A contestant's time of round i and the bar's of the same round are a pair.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .errors import MachineError

# Rounds at the start whose times are thrown away.
WARMUPS = 3

_FIRST_HOLD_MS = 2.0
_LONGEST_HOLD_MS = 500.0


class Stage(Protocol):
    """What timing asks of a GPU's stream. Marks are events; their type is the stage's own."""

    def hold(self, ms: float) -> None:
        """Keeps the stream busy for about that long."""

    def released(self) -> bool:
        """Whether the last hold is over."""

    def flush(self) -> None:
        """Queues what empties the L2 of operands."""

    def mark(self) -> Any:
        """Queues an event."""

    def between(self, start: Any, stop: Any) -> float:
        """Milliseconds, once both are over."""

    def observe(self) -> None:
        """Notes clock and power while the GPU works."""

    def wait(self) -> None:
        """Returns when the stream is empty."""


@dataclass(frozen=True)
class Block:
    """`run` queues that many launches back to back."""

    launches: int
    run: Callable[[], Any]


Times = dict[str, list[float]]
Launches = Mapping[str, Callable[[], Any]]


def _order(names: list[str], rng: random.Random) -> list[str]:
    return rng.sample(names, len(names))


def _cold_round(stage: Stage, launches: Launches, order: list[str],
                hold_ms: float) -> dict[str, float] | None:
    """Times of one round; None where the host was too slow for the hold."""
    stage.hold(hold_ms)
    marks = {}
    for name in order:
        stage.flush()
        start = stage.mark()
        launches[name]()
        marks[name] = (start, stage.mark())
    late = stage.released()
    stage.observe()
    stage.wait()
    if late:
        return None
    return {name: stage.between(start, stop) for name, (start, stop) in marks.items()}


def cold(stage: Stage, launches: Launches, rounds: int, rng: random.Random,
         warmups: int = WARMUPS) -> Times:
    """Milliseconds a launch, one for each round and contestant. A round in which the host fell
    behind is run again with a longer hold."""
    times: Times = {name: [] for name in launches}
    hold_ms, done = _FIRST_HOLD_MS, -warmups
    while done < rounds:
        found = _cold_round(stage, launches, _order(list(launches), rng), hold_ms)
        if found is None:
            hold_ms *= 2
            if hold_ms > _LONGEST_HOLD_MS:
                raise MachineError("the host can't queue a round of launches in "
                                   f"{_LONGEST_HOLD_MS:.0f} ms")
            continue
        done += 1
        if done <= 0:
            continue
        for name, ms in found.items():
            times[name].append(ms)
    return times


def sustained(stage: Stage, blocks: Mapping[str, Block], rounds: int, rng: random.Random,
              warmups: int = WARMUPS) -> Times:
    """Milliseconds a launch, the mean of a block, one for each round and contestant. All blocks of
    a round are queued before the first ends, so that the GPU goes from one straight to the next."""
    times: Times = {name: [] for name in blocks}
    for done in range(-warmups, rounds):
        marks = {}
        for name in _order(list(blocks), rng):
            start = stage.mark()
            blocks[name].run()
            marks[name] = (start, stage.mark())
        stage.observe()
        stage.wait()
        if done < 0:
            continue
        for name, (start, stop) in marks.items():
            times[name].append(stage.between(start, stop) / blocks[name].launches)
    return times


def rounds_for(seconds: float, round_ms: float, least: int, most: int) -> int:
    """As many as fit, within these bounds."""
    return max(least, min(most, int(1e3 * seconds / max(round_ms, 1e-3))))
