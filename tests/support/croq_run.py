"""One `croq tune --json` under test: its events as they come, its end, what it leaves behind."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import leftovers

Event = dict[str, Any]
SOURCE = Path(__file__).resolve().parents[2]

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """In the child: a test that is killed itself leaves no croq behind."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)



def interpreter() -> str | None:
    """The Python that croq shall use here; None: croq finds one itself."""
    named = os.environ.get("CROQ_PYTHON")
    venv = SOURCE / ".venv/bin/python"
    return named or (str(venv) if venv.exists() else None)


def has_triton() -> bool:
    """Whether there is an interpreter with Triton."""
    code = "import importlib.util as u, sys; sys.exit(u.find_spec('triton') is None)"
    command = [interpreter() or "python3", "-c", code]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def find_croq(named: str | None) -> Path:
    """The program: the one named, that of the environment, of a package, of a release build."""
    places = [named, os.environ.get("CROQ_BINARY"), SOURCE / "bin/croq", SOURCE / "croq",
              SOURCE / "build/release/croq"]
    for place in places:
        if place and Path(place).is_file():
            return Path(place).resolve()
    raise SystemExit(f"no croq: name it with --croq (looked at {[str(p) for p in places if p]})")


@dataclass
class CroqRun:
    """A croq that runs. `wait_for` and `kill` steer it, `finish` lets it end by itself."""

    process: subprocess.Popen[bytes]
    mark: str
    folder: Path
    err_path: Path
    events: list[Event] = field(default_factory=list)
    times: list[float] = field(default_factory=list)  # monotonic, of the events' arrival
    garbage: list[str] = field(default_factory=list)
    peak_kib: int = 0
    ended: bool = False
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _reader: threading.Thread | None = None

    @classmethod
    def start(cls, croq: Path, arguments: Sequence[str], out: Path,
              env: Mapping[str, str] | None = None) -> CroqRun:
        """`croq tune ARGUMENTS --json --out OUT`."""
        mark = uuid.uuid4().hex
        variables = {**os.environ, leftovers.MARK: mark, **(env or {})}
        python = interpreter()
        if python:
            variables["CROQ_PYTHON"] = python
        with tempfile.NamedTemporaryFile(prefix="croq-stderr-", delete=False) as err:
            process = subprocess.Popen(
                [str(croq), "tune", *arguments, "--json", "--out", str(out)],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err, env=variables,
                preexec_fn=_die_with_parent)
        run = cls(process, mark, out / "tuning", Path(err.name))
        run._reader = threading.Thread(target=run._read, daemon=True)
        run._reader.start()
        return run

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._note_memory()
            try:
                event = json.loads(line)
            except ValueError:
                event = None
            with self._changed:
                if isinstance(event, dict) and "event" in event:
                    self.events.append(event)
                    self.times.append(time.monotonic())
                else:
                    self.garbage.append(line.decode(errors="replace"))
                self._changed.notify_all()
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def _note_memory(self) -> None:
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                self.peak_kib = max(self.peak_kib, int(line.split()[1]))

    def wait_for(self, wanted: Callable[[list[Event]], bool], seconds: float) -> bool:
        """Whether the events came to what is wanted before the end or the time was up."""
        with self._changed:
            self._changed.wait_for(lambda: self.ended or wanted(self.events), seconds)
            return wanted(self.events)

    def named(self, name: str) -> list[Event]:
        """The events of one type so far."""
        with self._changed:
            return [event for event in self.events if event["event"] == name]

    def family(self) -> list[leftovers.Process]:
        """Everything it has started that lives, by descent or by mark."""
        found = leftovers.descendants(self.process.pid) + leftovers.belonging(self.mark)
        return [process for process in dict.fromkeys(found) if process.pid != self.process.pid]

    def leftovers(self, before: Sequence[leftovers.Process], seconds: float,
                  ) -> list[leftovers.Process]:
        """What of it lives `seconds` after its end: children it had, marked, or at its folder."""
        def find() -> list[leftovers.Process]:
            found = leftovers.still_there(before)
            return found or leftovers.belonging(self.mark, [self.folder])

        return leftovers.wait_until_gone(find, seconds)

    def kill(self) -> int:
        """SIGKILL to croq alone, as a crash would end it; its exit status."""
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)
        return self._end()

    def finish(self, seconds: float) -> int | None:
        """Its exit status; None where it had to be killed after `seconds`."""
        end = time.monotonic() + seconds
        self.wait_for(lambda events: False, seconds)
        try:
            self.process.wait(max(end - time.monotonic(), 1))
        except subprocess.TimeoutExpired:
            self.kill()
            return None
        return self._end()

    def _end(self) -> int:
        code = self.process.wait()
        if self._reader is not None:
            self._reader.join(10)
        return code

    def errors(self, limit: int = 2000) -> str:
        """The end of what it wrote for people."""
        return self.err_path.read_text(encoding="utf-8", errors="replace")[-limit:]

    def forget(self) -> None:
        """Removes its scratch file; call it once the run has ended."""
        self.err_path.unlink(missing_ok=True)
        if self.process.stdout is not None:
            self.process.stdout.close()
