"""Runs a session on a broken croq to its end and keeps what it said."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from croq_run import CroqRun, Event
from leftovers import belonging, wait_until_gone
from session_store import KEYS, Row, Session, Snapshot, unsound
from session_views import view_problems

from package_copy import Package

ORPHAN_SECONDS = 20


@dataclass
class Broken:
    """How a session with a fault in it went."""

    code: int | None
    events: list[Event]
    snapshot: Snapshot
    errors: str
    peak_mib: float
    out: Path
    problems: list[str] = field(default_factory=list)

    def named(self, name: str) -> list[Event]:
        """The events of one type."""
        return [event for event in self.events if event["event"] == name]

    def trials(self, *outcomes: str) -> list[Row]:
        """Journal rows of trials with one of these outcomes; of all that were compiled."""
        rows = self.snapshot.trials()
        return [row for row in rows if row["outcome"] in outcomes] if outcomes else rows

    def finished(self) -> Event:
        """The last event, or an empty one."""
        return self.named("finished")[-1] if self.named("finished") else {}


def run_broken(package: Package, out: Path, arguments: list[str],
               env: Mapping[str, str] | None = None, seconds: float = 900) -> Broken:
    """Runs `croq tune ARGUMENTS` to the end. `problems` then holds what is wrong whatever the
    fault was: it must end with exit 0 and a kernel, store all soundly, and leave nothing running.
    """
    run = CroqRun.start(package.croq, arguments, out, env)
    code = run.finish(seconds)
    session = Session(out, arguments[0])
    snapshot = session.snapshot() or Snapshot({name: [] for name in KEYS}, ["there is no journal"])
    result = Broken(code, run.events, snapshot, run.errors(), run.peak_kib / 1024, out)
    if code != 0:
        result.problems.append(f"it ended with exit {code}: {result.errors}")
    best = result.finished().get("best")
    if not best or not (best.get("verified") or best.get("predicted")):
        result.problems.append(f"no verified kernel came of it: {best}")
    if not any(event["decision"] == "KEEP" for event in result.named("iteration")):
        result.problems.append("no iteration was kept")
    result.problems += unsound(snapshot) + view_problems(session, snapshot, exact=True)
    left = wait_until_gone(lambda: belonging(run.mark, [package.folder, run.folder]),
                           ORPHAN_SECONDS)
    result.problems += [f"left running: {one}" for one in left]
    run.forget()
    return result


def blame(result: Broken, rows: list[Row], outcome: str, words: list[str],
          *, log: bool) -> list[str]:
    """What is wrong with trials that a fault hit: each has the outcome, a reason that holds one of
    the words, and where `log` a log that can be read."""
    problems = [] if rows else ["the fault hit no trial: more trials are needed"]
    for row in rows:
        if row["outcome"] != outcome:
            problems.append(f"{row['config']} is {row['outcome']}, not {outcome}: {row['reason']}")
        elif not any(word in row["reason"].lower() for word in words):
            problems.append(f"{row['config']}: the reason does not say {words}: {row['reason']}")
        if log and (not row["log"] or not Path(row["log"]).is_file()):
            problems.append(f"{row['config']} has no log: '{row['log']}'")
    announced = {event["config"] for event in result.named("trial")
                 if event["outcome"] == outcome and event.get("reason")}
    problems += [f"no event told of {row['config']}" for row in rows
                 if row["outcome"] == outcome and row["config"] not in announced]
    return problems


def levers(config: str) -> dict[str, str]:
    """Lever values of a configuration's text; its variant as `variant`."""
    variant, *pairs = config.split()
    return {"variant": variant, **dict(pair.split("=", 1) for pair in pairs)}
