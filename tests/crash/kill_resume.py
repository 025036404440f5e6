"""Kills `croq tune` at random moments, runs it again, and checks that nothing is lost or doubled.

    kill_resume.py --croq PATH --device offline:sm90 --kills 50 --shape KEY --out DIR --seed N

Only croq itself gets the SIGKILL. After each kill nothing that it started may be left, and its
journal must be sound; at the end a run to completion must succeed and the views must equal the
journal. Exit 0: all held; 1: something did not; 77: no interpreter with Triton here.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from croq_run import CroqRun, Event, find_croq, has_triton
from kill_moments import Moments
from leftovers import Process
from session_store import Session, Snapshot, file_problems, lost_rows, unsound
from session_views import view_problems

MOST_PROBLEMS = 10
SKIPPED = 77
LAST_WAIT = 30  # seconds: tells a slow machine from a process that stays


@dataclass
class Siege:
    """A session that is killed again and again."""

    croq: Path
    device: str
    shape: str
    out: Path
    moments: Moments
    trials_per_round: int
    workers: int
    orphan_seconds: float
    before: Snapshot | None = None
    kills: int = 0
    resumed: int = 0
    ended: int = 0
    problems: list[str] = field(default_factory=list)

    def start(self, rounds: int) -> CroqRun:
        """`croq tune` with that many rounds to go."""
        trials = rounds * self.trials_per_round
        return CroqRun.start(
            self.croq, [self.shape, "--device", self.device, "--rounds", str(rounds),
                        "--trials", str(trials), "--workers", str(self.workers)], self.out)

    def strike(self, number: int) -> None:
        """Starts, kills, checks."""
        run = self.start(500)
        name = self.moments.await_one(run)
        family = run.family()
        alive = run.process.poll() is None
        code = run.kill()
        if alive:
            self.kills += 1
        else:
            self.ended += 1
        found = self.check(run, self.session.snapshot())
        if not alive:
            found.append(f"it ended by itself with exit {code}: {run.errors()}")
        found += self.orphans(run, family)
        self.report(f"kill {number} ({name}, {len(run.events)} events)", found)
        run.forget()

    @property
    def session(self) -> Session:
        """The one session in the output folder."""
        return Session(self.out, self.shape)

    def check(self, run: CroqRun, now: Snapshot | None) -> list[str]:
        """What is wrong after a run, however it ended."""
        before = self.before
        started = run.named("started")
        found = [f"not an event: {line.strip()}" for line in run.garbage[:-1]]
        if before is not None and started:
            self.resumed += bool(started[0]["resumed"])
            if not started[0]["resumed"]:
                found.append("it did not say that it resumed")
        if now is None:
            return found + (["its journal is gone"] if before is not None else [])
        found += unsound(now) + file_problems(self.session, now)
        found += view_problems(self.session, now, least=before if started else None)
        found += lost_rows(before, now) if before is not None else []
        found += [f"{text} is not in the journal" for text in missing(run.events, now)]
        self.before = now
        return found

    def orphans(self, run: CroqRun, family: Sequence[Process]) -> list[str]:
        """What outlived a run for too long, and whether it did for good."""
        left = run.leftovers(family, self.orphan_seconds)
        stayed = run.leftovers(left, LAST_WAIT) if left else []
        return [f"{one} was left running after {self.orphan_seconds:g} s"
                + (f" and {LAST_WAIT} s more" if one in stayed else ", then ended") for one in left]

    def complete(self) -> None:
        """Runs to the end."""
        run = self.start(1)
        code = run.finish(600)
        now = self.session.snapshot()
        found = self.check(run, now)
        if code != 0:
            found.append(f"it ended with exit {code}: {run.errors()}")
        finished = run.named("finished")
        if not finished or finished[0].get("best") is None:
            found.append("it finished without a best kernel")
        if now is not None:
            found += view_problems(self.session, now, exact=True)
            found += [f"run {row['id']} is still {row['status']}" for row in now.tables["runs"]
                      if row["status"] == "running"]
        found += self.orphans(run, [])
        self.report("the run to completion", found)
        run.forget()

    def report(self, where: str, found: list[str]) -> None:
        """Keeps what is wrong, and shows where things stand."""
        rows = self.before.tables if self.before else {}
        print(f"{where}: {len(rows.get('trials', []))} trials, "
              f"{len(rows.get('iterations', []))} iterations", flush=True)
        for problem in found:
            print(f"  WRONG: {problem}", flush=True)
            self.problems.append(f"{where}: {problem}")

    def summary(self) -> str:
        """One line."""
        rows = self.before
        measured = len(rows.trials()) if rows else 0
        text = (f"{self.kills} kills ({self.moments.summary()}), {self.resumed} resumes ok, "
                f"{len(rows.final()) if rows else 0} iterations, {measured} trials")
        return text + (f", {len(self.problems)} PROBLEMS" if self.problems else ", nothing lost")


def missing(events: list[Event], now: Snapshot) -> list[str]:
    """What croq announced as stored and the journal does not hold."""
    iterations = {(row["number"], row["config"]) for row in now.final()}
    attempts = {row["number"] for row in now.tables["attempts"]}
    lost = [f"iteration {event['number']}" for event in events
            if event["event"] in ("iteration", "baseline")
            and (event["number"], event["config"]) not in iterations]
    return lost + [event["attempt"] for event in events if event["event"] == "attempt"
                   and int(event["attempt"].removeprefix("attempt")[:4]) not in attempts]


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--croq", help="the program (default: found from here)")
    parser.add_argument("--device", default="offline:sm90")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--shape", default="matmul_f16fp32_256x256x256")
    parser.add_argument("--out", type=Path, help="kept afterwards (default: a scratch folder)")
    parser.add_argument("--seed", type=int, help="of the moments (default: a fresh one)")
    parser.add_argument("--trials-per-round", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--longest", type=float, default=30,
                        help="seconds after which a run is killed whatever it does")
    parser.add_argument("--orphan-seconds", type=float, default=3,
                        help="after which nothing of a killed croq may be left")
    return parser.parse_args(arguments)


def besiege(options: argparse.Namespace, out: Path) -> int:
    """All kills and the run to completion; the exit status."""
    seed = options.seed if options.seed is not None else random.randrange(2**31)
    print(f"seed {seed}, files in {out}", flush=True)
    siege = Siege(find_croq(options.croq), options.device, options.shape, out,
                  Moments(random.Random(seed), options.longest), options.trials_per_round,
                  options.workers, options.orphan_seconds)
    for number in range(1, options.kills + 1):
        siege.strike(number)
        if len(siege.problems) >= MOST_PROBLEMS:
            break
    siege.complete()
    print(siege.summary())
    return 1 if siege.problems else 0


def main() -> int:
    options = parse(sys.argv[1:])
    if not has_triton():
        print("skipped: no Python with Triton here; CROQ_PYTHON names one")
        return SKIPPED
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        return besiege(options, options.out.resolve())
    with tempfile.TemporaryDirectory(prefix="croq-kills-") as folder:
        return besiege(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
