"""What a session said: the events of `croq tune --json` (docs/events.md), reduced. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

Event = dict[str, Any]

# A configuration counts as good as the best from this share of slowness on.
WITHIN = 0.01


@dataclass(frozen=True)
class Session:
    """One session as the comparison shows it. Seconds count from the start of the process."""

    config: str  # of the kernel kept; empty: none
    iteration: str
    script: str  # its file
    time_ms: float | None  # the best configuration's, cold, in screening
    seconds_to_within: float | None  # until a correct trial was within 1% of that
    trials: int
    trials_per_second: float
    ended_by: str
    predicted: bool
    versions: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def read(lines: Iterable[str]) -> list[Event]:
    """The events in their order. A line that a kill cut short is left out."""
    events = []
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and "event" in event:
            events.append(event)
    return events


def moment(text: str) -> datetime:
    """The time of an event's `at`. (Python 3.10 does not read the Z.)"""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _last(events: Sequence[Event], kind: str) -> Event:
    return next((event for event in reversed(events) if event["event"] == kind), {})


def _best(events: Sequence[Event]) -> Event:
    """The kernel kept: what `finished` says, or, of a session that was cut, the last KEEP."""
    finished = _last(events, "finished")
    if finished:
        return finished.get("best") or {}
    kept = [event for event in events
            if event["event"] == "iteration" and event.get("decision") == "KEEP"]
    return kept[-1] if kept else {}


def _correct_trials(events: Sequence[Event]) -> list[Event]:
    return [event for event in events
            if event["event"] == "trial" and event.get("outcome") == "correct"
            and event.get("time_ms", 0) > 0]


def final_time(events: Sequence[Event]) -> float | None:
    """The best configuration's time in milliseconds, of the kind that trials have: its fastest
    screening, so that the clock's drift between screening and duels does not count."""
    best = _best(events)
    own = [trial["time_ms"] for trial in _correct_trials(events)
           if trial.get("config") == best.get("config")]
    return min(own) if own else best.get("time_ms_cold") or None


def seconds_to_within(events: Sequence[Event], began: datetime,
                      share: float = WITHIN) -> float | None:
    """Seconds until the first correct trial no slower than the final best by more than `share`."""
    final = final_time(events)
    if final is None:
        return None
    for trial in _correct_trials(events):
        if trial["time_ms"] <= final * (1 + share):
            return (moment(trial["at"]) - began).total_seconds()
    return None


def summarise(events: Sequence[Event], began: datetime) -> Session:
    """The session of these events; `began` is when the process was started (with a time zone)."""
    started, finished, best = _last(events, "started"), _last(events, "finished"), _best(events)
    return Session(
        config=best.get("config", ""),
        iteration=best.get("iteration", ""),
        script=finished.get("script") or best.get("path") or "",
        time_ms=final_time(events),
        seconds_to_within=seconds_to_within(events, began),
        trials=finished.get("trials", sum(event["event"] == "trial" for event in events)),
        trials_per_second=finished.get("trials_per_second", 0.0),
        ended_by=finished.get("ended_by", "no end: the session was cut"),
        predicted=bool(started.get("predicted", False)),
        versions=started.get("versions", {}))
