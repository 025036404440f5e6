"""Starts a worker as the engine does and talks to it; shared by the tests of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE_PARENT = next((folder for folder in (ROOT / "python", ROOT / "share" / "croq" / "python")
                       if folder.is_dir()), ROOT / "python")  # the source tree's, the package's
KERNELS = Path(__file__).resolve().parent / "kernels"
sys.path.insert(0, str(PACKAGE_PARENT))

from croq_worker.frame import read_frame, write_frame  # noqa: E402 (needs the path above)


def _python_path() -> str:
    return os.pathsep.join(filter(None, [str(PACKAGE_PARENT), os.environ.get("PYTHONPATH")]))


class Worker:
    """A worker process with its own folder; a context manager."""

    def __init__(self, mode: str, *options: str,
                 environment: dict[str, str] | None = None) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="croq_worker_test.")
        self.path = Path(self.folder.name)
        request_read, self.write_fd = os.pipe()
        self.read_fd, reply_write = os.pipe()
        self.log_path = self.path / "log"

        def place_descriptors() -> None:
            # Away from 3 and 4 first: one of the two may be in the other's place.
            read_fd, write_fd = os.dup(request_read), os.dup(reply_write)
            moved = [fd if fd > 4 else os.dup(fd) for fd in (read_fd, write_fd)]
            moved = [fd if fd > 4 else os.dup(fd) for fd in moved]
            os.dup2(moved[0], 3)
            os.dup2(moved[1], 4)

        env = dict(os.environ, PYTHONPATH=_python_path(),
                   TRITON_CACHE_DIR=str(self.path / "cache"), **(environment or {}))
        with self.log_path.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "croq_worker", mode, "--read-fd", "3", "--write-fd", "4",
                 *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env,
                close_fds=False, preexec_fn=place_descriptors, start_new_session=True)
        os.close(request_read)
        os.close(reply_write)
        os.set_inheritable(self.write_fd, False)
        self.next_id = 1
        hello = read_frame(self.read_fd)
        assert hello is not None, self.log()
        self.hello: dict[str, Any] = hello

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Sends a request with a fresh id and gives its reply."""
        message = dict(message, id=self.next_id)
        self.next_id += 1
        write_frame(self.write_fd, message)
        reply = read_frame(self.read_fd)
        assert reply is not None, "the worker died: " + self.log()
        assert reply["id"] == message["id"]
        return reply

    def log(self) -> str:
        return self.log_path.read_text(errors="replace")

    def stop(self) -> int:
        """Closes the engine's end; the exit code."""
        if self.write_fd >= 0:
            os.close(self.write_fd)
            self.write_fd = -1
        code = self.process.wait(timeout=60)
        return code

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        os.close(self.read_fd)
        self.folder.cleanup()


def parameter(name: str, kind: str, divisible: bool = True) -> dict[str, Any]:
    return {"name": name, "type": kind, "divisible": divisible}


def constant(name: str, value: Any, kind: str | None = None) -> dict[str, Any]:
    kind = kind or {bool: "bool", int: "int", float: "float", str: "string",
                    type(None): "none"}[type(value)]
    return {"name": name, "type": "constexpr", "value": {"kind": kind, "value": value}}
