"""The loop of a worker: hello, then one reply a request until the engine closes its end."""

from __future__ import annotations

import os
import platform
import signal
import sys
import traceback
from typing import Any, Callable, Mapping

from . import PROTOCOL, __version__
from .fields import MessageError, get
from .frame import FrameError, read_frame, write_frame
from .versions import installed_version

#: Takes a request, gives the reply's fields, "type" among them; the loop adds the id.
Handler = Callable[[Mapping[str, Any]], dict[str, Any]]


def hello(worker: str, packages: tuple[str, ...]) -> dict[str, Any]:
    """The first message; the versions of packages that this worker doesn't use are null."""
    message: dict[str, Any] = {
        "type": "hello", "worker": worker, "protocol": PROTOCOL, "croq": __version__,
        "pid": os.getpid(), "python": platform.python_version()}
    for package in ("triton", "torch", "numpy"):
        message[package] = installed_version(package) if package in packages else None
    return message


def serve(read_fd: int, write_fd: int, greeting: dict[str, Any] | None,
          handlers: Mapping[str, Handler], after_reply: Callable[[], None] = lambda: None) -> int:
    """Answers requests by their "type". Returns the process's exit code.

    `after_reply` runs between a reply and the next request, when no byte is under way here.

    A request that makes no sense gets an "error" reply and the loop goes on; a torn or oversized
    frame ends it, since nothing behind it can be trusted.
    """
    # Ctrl-C in a terminal reaches the whole foreground group; the engine decides who stops.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # cleans up
    try:
        if greeting is not None:
            write_frame(write_fd, greeting)
        while (request := read_frame(read_fd)) is not None:
            write_frame(write_fd, _answer(request, handlers))
            after_reply()
    except FrameError as error:
        print(f"croq_worker: {error}", file=sys.stderr, flush=True)
        return 1
    except BrokenPipeError:
        pass  # The engine is gone, and with it whoever wanted the answer.
    return 0


def _answer(request: Mapping[str, Any], handlers: Mapping[str, Handler]) -> dict[str, Any]:
    request_id = request.get("id")
    reply: dict[str, Any]
    try:
        kind = get(request, "type", str)
        request_id = get(request, "id", int)
        if kind not in handlers:
            raise MessageError(f"no request '{kind}' here; known are {', '.join(sorted(handlers))}")
        reply = handlers[kind](request)
    except MessageError as error:
        reply = {"type": "error", "message": str(error)}
    except Exception as error:  # A defect of ours: said to the engine, told in full in the log.
        traceback.print_exc()
        reply = {"type": "error", "message": f"{type(error).__name__}: {error}"[:2000]}
    reply["id"] = request_id if isinstance(request_id, int) else 0
    return reply
