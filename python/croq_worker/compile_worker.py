"""The compile mode: "compile" requests. Runs none of a candidate's host code."""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import sys
from typing import Any, Mapping

from . import compile_job, kernel_source
from .compile_errors import describe_failure
from .messages import CompileRequest, Device
from .serve import hello, serve
from .stub_driver import activate

#: Jobs between two full garbage collections; Triton's trees and builders are full of cycles.
_COLLECT_EVERY = 50


class CompileHandler:
    """Answers compile requests, one at a time, and leaves nothing behind in the process."""

    def __init__(self, workspace: compile_job.Workspace) -> None:
        self._workspace = workspace
        self._jobs = 0

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        request = CompileRequest.decode(message)
        try:
            reply = {"ok": True, **compile_job.compile_kernel(request)}
        except Exception as error:
            reply = self._failure(error, request)
        finally:
            kernel_source.forget(request.source)
            self._workspace.clear()
        self._jobs += 1
        if self._jobs % _COLLECT_EVERY == 0:
            gc.collect()
        return {"type": "compiled", **reply}

    @staticmethod
    def _failure(error: Exception, request: CompileRequest) -> dict[str, Any]:
        try:  # for the lines of the functions that the error speaks of
            module = kernel_source.load(request.source)
        except kernel_source.KernelSourceError:
            module = None
        return describe_failure(error, request.source, module)


def _warm_up() -> None:
    """Pays the first request's fixed costs before the hello."""
    activate(Device())
    # The key guards a cache that outlives a Triton; ours lives for one job, and hashing libtriton
    # takes a second.
    import triton.compiler.compiler
    import triton.runtime.cache
    from triton.compiler import make_backend
    from triton.runtime import driver

    for module in (triton.runtime.cache, triton.compiler.compiler):
        if hasattr(module, "triton_key"):
            module.triton_key = lambda: "croq"  # type: ignore[attr-defined]
    try:
        make_backend(driver.active.get_current_target()).hash()  # runs ptxas --version
    except Exception as error:  # The first compile will say what is wrong, as a reply.
        print(f"croq_worker: warming up ptxas: {error}", file=sys.stderr, flush=True)


def resident_mb() -> int:
    """This process's memory."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


class Renewal:
    """Starts the process afresh, in place, once it has grown too large.

    LLVM and MLIR keep about 0.1 MB of every compile for good. The engine sees nothing of it but a
    pause of a fraction of a second: process id and descriptors stay.
    """

    def __init__(self, read_fd: int, write_fd: int, limit_mb: int,
                 workspace: compile_job.Workspace) -> None:
        self._fds = (read_fd, write_fd)
        self._limit_mb = limit_mb
        self._workspace = workspace

    def __call__(self) -> None:
        if resident_mb() <= self._limit_mb:
            return
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        if resident_mb() <= self._limit_mb:
            return
        print(f"croq_worker: {resident_mb()} MB in use, starting afresh", file=sys.stderr,
              flush=True)
        self._workspace.remove()
        for fd in self._fds:
            os.set_inheritable(fd, True)
        os.execv(sys.executable, [
            sys.executable, "-m", "croq_worker", "compile", "--read-fd", str(self._fds[0]),
            "--write-fd", str(self._fds[1]), "--memory-limit-mb", str(self._limit_mb),
            "--resumed"])


def run(read_fd: int, write_fd: int, memory_limit_mb: int, resumed: bool) -> int:
    """Serves until the engine closes its end; the process's exit code.

    `resumed`: this process took over from itself, and the engine has had its hello.
    """
    workspace = compile_job.Workspace()
    atexit.register(workspace.remove)
    _warm_up()
    return serve(
        read_fd, write_fd, None if resumed else hello("compile", ("triton",)),
        {"compile": CompileHandler(workspace)},
        Renewal(read_fd, write_fd, memory_limit_mb, workspace))
