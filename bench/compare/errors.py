"""What ends the program early."""

from __future__ import annotations


class UsageError(Exception):
    """The command line or a file that was handed in is wrong: exit 2."""


class MachineError(Exception):
    """The machine can't do what is asked: exit 1."""


class OutOfTime(BaseException):
    """A contestant used up its time. No Exception: the tools swallow those while they search."""
