"""Runs the croq binary for the functional tests."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("CROQ_BINARY", SOURCE / "build/release/croq"))
PYTHON = Path(os.environ.get("CROQ_PYTHON", SOURCE / ".venv/bin/python"))


@dataclass
class Ran:
    """How one run of croq ended."""

    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def croq(*arguments: str, env: dict[str, str | None] | None = None,
         cwd: str | Path | None = None) -> Ran:
    """Runs croq; `env` changes variables, None takes one away."""
    variables = dict(os.environ)
    if PYTHON.exists():
        variables["CROQ_PYTHON"] = str(PYTHON)
    for name, value in (env or {}).items():
        if value is None:
            variables.pop(name, None)
        else:
            variables[name] = value
    done = subprocess.run([str(BINARY), *arguments], capture_output=True, text=True,
                          env=variables, cwd=cwd, timeout=240, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def has_command(name: str) -> bool:
    """Whether this croq has the command."""
    return croq(name, "--help").code == 0


class CroqTest(unittest.TestCase):
    """A test with a scratch folder, in which croq is run."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="croq test ")
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)

    def assert_usage_error(self, ran: Ran, *parts: str) -> None:
        """Exit 2, a message for people that holds each part, nothing on stdout."""
        self.assertEqual(ran.code, 2, ran)
        self.assertTrue(ran.err.startswith("croq: "), ran)
        self.assertEqual(ran.out, "", ran)
        for trace in ("Traceback", "terminate called", "what():"):
            self.assertNotIn(trace, ran.err)
        for part in parts:
            self.assertIn(part, ran.err)

    def program(self, name: str, body: str) -> Path:
        """An executable shell script in the scratch folder."""
        path = self.scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path
