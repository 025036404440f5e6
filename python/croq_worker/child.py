"""One forked process for each candidate's host code, with a deadline."""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Any, Callable

from .frame import MAX_FRAME_BYTES, FrameError, decode_payload, encode_frame
from .messages import RUNTIME, TIMEOUT, failure

_PR_SET_PDEATHSIG = 1
#: A host function has no business writing more than this to one file.
_MAX_FILE_BYTES = 256 << 20


@dataclass(frozen=True)
class ChildDied:
    """The child ended without a result; `reason` says how. `timed_out`: it was killed for it."""

    reason: str
    timed_out: bool = False

    def reply(self, entry: str) -> dict[str, Any]:
        """The fields of a failed reply about the host function `entry`."""
        if self.timed_out:
            return failure(TIMEOUT, "Timeout", f"{entry} gave {self.reason}")
        return failure(RUNTIME, "Died", f"the process that ran {entry} {self.reason}")


class ChildRunner:
    """Runs jobs in forked children, one at a time. `private_fds` are closed in the children;
    no file that they write may be larger than `max_file_bytes`."""

    def __init__(self, private_fds: tuple[int, ...],
                 max_file_bytes: int = _MAX_FILE_BYTES) -> None:
        self._private_fds = private_fds
        self._max_file_bytes = max_file_bytes
        self._libc = ctypes.CDLL(None, use_errno=True)

    def run(self, job: Callable[[], dict[str, Any]],
            timeout_s: float) -> dict[str, Any] | ChildDied:
        """The job's result, or how the child died. The child's whole group is gone afterwards."""
        read_fd, write_fd = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(read_fd)
            self._child(job, write_fd, parent)
        os.close(write_fd)
        try:
            os.setpgid(pid, pid)  # The child does it too; whoever comes first.
        except OSError:
            pass
        try:
            data, timed_out = _read_result(read_fd, timeout_s)
        except FrameError:
            data, timed_out = None, False
        finally:
            os.close(read_fd)
        status = self._reap(pid, kill=data is None and timed_out)
        if data is not None:
            return data
        if timed_out:
            return ChildDied(f"no result within {timeout_s:g} s", timed_out=True)
        return ChildDied(_describe(status))

    def _child(self, job: Callable[[], dict[str, Any]], write_fd: int, parent: int) -> None:
        """Runs in the fork; never returns."""
        try:
            os.setpgid(0, 0)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self._libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)
            for fd in self._private_fds:
                os.close(fd)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (self._max_file_bytes,) * 2)
            frame = encode_frame(job())
            sys.stdout.flush()
            sys.stderr.flush()
            view = memoryview(frame)
            while view:
                view = view[os.write(write_fd, view):]
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)

    @staticmethod
    def _reap(pid: int, kill: bool) -> int:
        """Waits for a child that is done or doomed, then ends what it left in its group."""
        if kill:
            _kill_group(pid)
        deadline = time.monotonic() + 1.0
        while True:  # The child has closed its pipe: it is ending, or sleeping in its exit.
            # WNOWAIT keeps the zombie, and so the group's id, until the group is killed.
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
                break
            if time.monotonic() > deadline:
                break
            time.sleep(0.001)
        _kill_group(pid)
        return os.waitpid(pid, 0)[1]


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _read_result(fd: int, timeout_s: float) -> tuple[dict[str, Any] | None, bool]:
    """(the frame, False), (None, False) where the child ended first, (None, True) if too late."""
    deadline = time.monotonic() + timeout_s
    data = bytearray()
    while True:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            return None, True
        ready, _, _ = select.select([fd], [], [], remaining)
        if not ready:
            return None, True
        part = os.read(fd, 1 << 20)
        if not part:
            return None, False
        data += part
        if len(data) >= 4:
            length = int.from_bytes(data[:4], "little")
            if length > MAX_FRAME_BYTES:
                return None, False
            if len(data) >= 4 + length:
                return decode_payload(bytes(data[4:4 + length])), False


def _describe(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"died by signal {number} ({signal.Signals(number).name})"
        except ValueError:
            return f"died by signal {number}"
    return f"ended with exit code {os.WEXITSTATUS(status)} before it returned"
