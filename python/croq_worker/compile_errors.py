"""What went wrong with a compile, in one paragraph, and whether the worker can go on."""

from __future__ import annotations

import re
import traceback
from typing import Any

from .kernel_source import KernelModule, KernelSourceError
from .messages import COMPILE, failure
from .signature import SignatureMismatch


def innermost(error: BaseException) -> BaseException:
    """The CompilationError closest to the fault: callers' errors wrap their callees'."""
    found = error
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        if hasattr(current, "node") and hasattr(current, "error_message"):
            found = current
        current = current.__cause__ or current.__context__
    return found


def front_end_message(error: Any, path: str, module: KernelModule | None) -> str:
    """file:line:column, what, and the line of code, of a triton CompilationError."""
    inner: Any = innermost(error)
    node, source = inner.node, inner.src or ""
    what = inner.error_message
    if not what:
        cause = inner.__cause__ or inner.__context__
        what = f"{type(cause).__name__}: {cause}" if cause else type(inner).__name__
    line = getattr(node, "lineno", None)
    if line is None:
        return f"{path}: {what}"
    code = source.splitlines()[line - 1].strip() if line <= len(source.splitlines()) else ""
    first, name = _first_line(source, module)
    where = f"line {line} of the kernel"
    if first:
        where = f"{path}:{first + line - 1}:{node.col_offset}"
    inside = f" in '{name}'" if name else ""
    return f"{where}{inside}: {what.strip()}" + (f" | {code}" if code else "")


def _first_line(source: str, module: KernelModule | None) -> tuple[int, str]:
    """The file's line of the `def` that `source` starts with, and the function's name."""
    for name, line in (module.lines if module else {}).items():
        if getattr(module.namespace.get(name), "src", None) == source:
            return line, name
    return 0, ""


def ptxas_message(text: str) -> str:
    """ptxas's own words without the repro command and the PTX."""
    lines = [line.strip() for line in text.splitlines()]
    remark = re.compile(r"(ptxas\b.*(fatal|error|warning)|.*\(C\d{4}\))")
    told = [line for line in lines
            if remark.match(line) and not line.startswith("Repro command")]
    summary = lines[0] if lines else "ptxas failed"
    files = re.compile(r"\S*/(tmp\w+\.ptx)")
    return files.sub(r"\1", "; ".join([summary, *told[:5]]))


def describe_failure(error: Exception, path: str, module: KernelModule | None) -> dict[str, Any]:
    """The fields of a "compiled" reply for an exception of compile_kernel.

    `retire` is true where the compiler gave up outside of its front end: its state may be corrupt.
    What MLIR has to say of it stands on stderr alone; the engine reads it there.
    """
    names = {c.__name__ for c in type(error).__mro__}
    text = str(error)
    if isinstance(error, (KernelSourceError, SignatureMismatch)) or "OptionError" in names:
        return failure(COMPILE, type(error).__name__, text, retire=False)
    if "CompilationError" in names:
        return failure(COMPILE, type(error).__name__, front_end_message(error, path, module),
                       retire=False)
    if "PTXASError" in names:
        killed = bool(re.search(r"error code -\d+|raised SIGSEGV", text))
        return failure(COMPILE, "PTXASError",
                       ptxas_message(text.removeprefix("PTXAS error: ")), retire=killed)
    if "OutOfResources" in names:
        return failure(COMPILE, "OutOfResources", text, retire=False)
    if isinstance(error, RecursionError):
        return failure(COMPILE, "RecursionError", f"{path}: the kernel is nested too deep for the "
                       "compiler", retire=False)
    traceback.print_exception(error)
    return failure(COMPILE, type(error).__name__, text or type(error).__name__, retire=True)
