"""The parse mode: source files to syntax trees. Needs Python alone and runs nothing of a file."""

from __future__ import annotations

import gc

from .serve import hello, serve
from .syntax_tree import parse_reply


def run(read_fd: int, write_fd: int) -> int:
    """Serves until the engine closes its end; the process's exit code."""
    gc.freeze()
    return serve(read_fd, write_fd, hello("parse", ()), {"parse": parse_reply})
