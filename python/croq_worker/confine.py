"""Takes away from this process what importing somebody's file has no need of."""

from __future__ import annotations

import ctypes
import math
import resource

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000

#: Of private writable memory: a model that is built on import fits, a runaway list does not.
MEMORY_BYTES = 8 << 30


def leave_network() -> bool:
    """Moves into an empty network namespace. False where that is not allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.unshare(_CLONE_NEWNET) == 0 or libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0


def limit(cpu_seconds: float, memory_bytes: int = MEMORY_BYTES) -> None:
    """Bounds memory and processor time; limits that are tighter already stay."""
    _lower(resource.RLIMIT_DATA, memory_bytes)
    _lower(resource.RLIMIT_CPU, math.ceil(cpu_seconds))


def _lower(kind: int, most: int) -> None:
    _soft, hard = resource.getrlimit(kind)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (bound, bound))
