"""Imports a candidate's file and tells where in it something happened. For forked children."""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from types import ModuleType, TracebackType
from typing import Any

MODULE_NAME = "croq_candidate"


class ScriptError(Exception):
    """A file that can't be imported or lacks its entry."""


def load(path: str) -> ModuleType:
    """The imported module; `__name__` is not "__main__", so its main part stays quiet."""
    spec = importlib.util.spec_from_file_location(MODULE_NAME, path)
    if spec is None or spec.loader is None or not os.path.exists(path):
        raise ScriptError(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE_NAME] = module  # dataclasses and pickles look it up
    sys.argv = [path]
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(path))
    spec.loader.exec_module(module)
    return module


def entry(module: ModuleType, name: str) -> Any:
    """The host function. Raises ScriptError."""
    function = getattr(module, name, None)
    if not callable(function):
        raise ScriptError(f"the file has no function '{name}'")
    return function


def place_in(path: str, tb: TracebackType | None = None) -> str:
    """" (file:line in function)" of the innermost frame in the file, of a traceback or of now."""
    frames = traceback.extract_tb(tb) if tb else traceback.extract_stack()
    for frame in reversed(frames):
        if frame.filename == path:
            return f" ({path}:{frame.lineno} in {frame.name})"
    return ""
