"""Finds processes that a croq left behind."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

#: Environment variable that marks a croq and, as it is inherited, all that it starts.
MARK = "CROQ_TEST_MARK"


@dataclass(frozen=True)
class Process:
    """A living process; `started` tells it from a later one with the same number."""

    pid: int
    parent: int
    started: int
    command: str

    def __str__(self) -> str:
        return f"{self.pid} {self.command[:160]}"


def read_process(pid: int) -> Process | None:
    """The process, or None where it is gone or no more than a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    name, _, rest = stat.rpartition(")")
    fields = rest.split()
    # Fields 3 (state), 4 (parent), 20 (threads) and 22 (start) of proc(5).
    if fields[0] in "XZ" and int(fields[17]) <= 1:
        return None
    text = command.replace(b"\0", b" ").decode(errors="replace").strip()
    return Process(pid, int(fields[1]), int(fields[19]), text or name.partition("(")[2])


def all_processes() -> list[Process]:
    """Every living process that may be read."""
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return [process for pid in pids if (process := read_process(pid)) is not None]


def descendants(pid: int) -> list[Process]:
    """Everything below the process, itself left out."""
    processes = all_processes()
    family = [pid]
    found = []
    for parent in family:
        for process in processes:
            if process.parent == parent and process.pid not in family:
                family.append(process.pid)
                found.append(process)
    return found


def _own_line() -> set[int]:
    """This process and those above it: their command lines may name anything."""
    line = set()
    pid = os.getpid()
    while pid > 0 and pid not in line:
        line.add(pid)
        process = read_process(pid)
        pid = process.parent if process else 0
    return line


def _names(pid: int, texts: Iterable[bytes]) -> bool:
    """Whether command line, environment or working directory hold one of the texts."""
    held = b""
    for name in ("cmdline", "environ"):
        try:
            held += Path(f"/proc/{pid}/{name}").read_bytes() + b"\0"
        except OSError:
            pass  # gone, or another user's
    try:
        held += os.readlink(f"/proc/{pid}/cwd").encode()
    except OSError:
        pass
    return any(text in held for text in texts)


def belonging(mark: str, paths: Iterable[Path] = ()) -> list[Process]:
    """Living processes that carry the mark or name one of the paths."""
    texts = [f"{MARK}={mark}".encode()] + [str(path).encode() for path in paths]
    own = _own_line()
    return [process for process in all_processes()
            if process.pid not in own and _names(process.pid, texts)]


def still_there(processes: Iterable[Process]) -> list[Process]:
    """Those of them that live."""
    found = []
    for process in processes:
        now = read_process(process.pid)
        if now is not None and now.started == process.started:
            found.append(process)
    return found


def wait_until_gone(find: Callable[[], list[Process]], seconds: float) -> list[Process]:
    """What `find` still finds once it finds nothing or the time is up."""
    end = time.monotonic() + seconds
    while True:
        left = find()
        if not left or time.monotonic() >= end:
            return left
        time.sleep(0.05)
