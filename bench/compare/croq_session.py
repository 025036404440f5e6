"""Runs `croq tune` from cold and says what came of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from . import events
from .errors import UsageError

ROOT = Path(__file__).resolve().parents[2]

# How long croq may take beyond its --time: checks, inputs, baseline, closing scripts.
_GRACE_SECONDS = 80


@dataclass(frozen=True)
class CroqRun:
    """How one `croq tune` ended."""

    status: str  # ready, unsupported (croq has no such operator), failed
    reason: str
    seconds: float  # of the whole process
    command: str
    session: events.Session | None
    script: Path | None  # of the kernel kept


def find_croq(named: str | None) -> Path:
    """The program: the one named, $CROQ, that of a package or of a release build."""
    named = named or os.environ.get("CROQ")
    if named:
        if not (Path(named).is_file() and os.access(named, os.X_OK)):
            raise UsageError(f"'{named}' is no program; --croq or CROQ names the croq to compare")
        return Path(named).resolve()
    places = [ROOT / "bin/croq", ROOT / "build/release/croq"]
    for place in places:
        if place.is_file():
            return place
    raise UsageError("there is no croq here: build it (./quickstart.sh --build-only) or name one "
                     f"with --croq (looked at {', '.join(map(str, places))})")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Asks croq to stop, so that it stores what it has; it takes its children along."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _last_line(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _verdict(code: int | None, said: str, session: events.Session) -> tuple[str, str]:
    """Status and reason from the exit code (docs/cli.md), None where it was ended from here."""
    if code == 2 and "unknown dtype" in said or code == 2 and "unknown operator" in said:
        return "unsupported", said
    if session.predicted:
        return "failed", "croq found no GPU and predicted"
    if session.script and Path(session.script).is_file():
        return "ready", "" if code == 0 else f"exit code {code}"
    return "failed", said or f"exit code {code}, and no kernel was kept"


def tune(croq: Path, key: str, *, seconds: int, device: str, folder: Path,
         environment: dict[str, str]) -> CroqRun:
    """One session in `folder`, which must be empty for a cold start.

    Its events stay in `folder`/events.jsonl, its messages in `folder`/messages.txt.
    """
    command = [str(croq), "tune", key, "--time", f"{seconds}s", "--device", device, "--json",
               "--out", str(folder)]
    said, messages = folder / "events.jsonl", folder / "messages.txt"
    began, clock = datetime.now(timezone.utc), time.monotonic()
    with said.open("wb") as out, messages.open("wb") as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env=environment)
        code: int | None = None
        try:
            code = process.wait(timeout=seconds + _GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            _end(process)
        except BaseException:
            with contextlib.suppress(OSError):
                _end(process)
            raise
    wall = time.monotonic() - clock
    session = events.summarise(
        events.read(said.read_text(encoding="utf-8", errors="replace").splitlines()), began)
    status, reason = _verdict(code, _last_line(messages), session)
    script = Path(session.script) if status == "ready" else None
    return CroqRun(status, reason, wall, " ".join(command), session, script)
