"""A source file's syntax tree as JSON, made by CPython's own parser from the file's bytes.

Everything unusual fails closed: the engine edits files by byte range and must see exactly what
Python sees. Columns are byte offsets into the line, lines are counted by "\\n".
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path
from typing import Any

MAX_SOURCE_BYTES = 256 << 10
#: Nested nodes; a kernel file has a few dozen.
MAX_DEPTH = 200

_INT64 = range(-(1 << 63), 1 << 63)


class SourceError(Exception):
    """A file that is not taken; line counts from 1, column (in bytes) from 0."""

    def __init__(self, message: str, line: int = 1, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def read_source(path: str) -> bytes:
    """The file's bytes. Raises SourceError where it can't be read or is too large."""
    try:
        with Path(path).open("rb") as file:
            source = file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error.strerror}") from error
    if len(source) > MAX_SOURCE_BYTES:
        raise SourceError(f"{path} is larger than {MAX_SOURCE_BYTES} bytes")
    return source


def parse_source(source: bytes, path: str) -> ast.Module:
    """The tree of a source. Raises SourceError with the place of the trouble."""
    _check_bytes(source)
    try:
        return ast.parse(source, filename=path)
    except SyntaxError as error:
        raise SourceError(f"syntax error: {error.msg}", error.lineno or 1,
                          max((error.offset or 1) - 1, 0)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise SourceError(f"not parsed: {error or type(error).__name__}") from error


def _check_bytes(source: bytes) -> None:
    if source.startswith(b"\xef\xbb\xbf"):
        raise SourceError("the file starts with a byte order mark; save it as plain UTF-8")
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError("the file is not UTF-8", *_place(source, error.start)) from error
    if lone := re.search(rb"\r(?!\n)", source):
        raise SourceError("a carriage return without a line feed; Python counts a line there",
                          *_place(source, lone.start()))
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as error:
        raise SourceError(f"encoding: {error.msg}") from error
    if encoding != "utf-8":
        raise SourceError(f"the file declares the encoding {encoding}; only UTF-8 is taken")


def _place(source: bytes, index: int) -> tuple[int, int]:
    start = source.rfind(b"\n", 0, index) + 1
    return source.count(b"\n", 0, index) + 1, index - start


def tree_to_json(node: ast.AST, depth: int = 0) -> dict[str, Any]:
    """{"_": class, position, fields...}; raises SourceError over MAX_DEPTH or on odd constants."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    if depth > MAX_DEPTH:
        raise SourceError(f"the code is nested more than {MAX_DEPTH} levels deep", line, column)
    result: dict[str, Any] = {"_": type(node).__name__}
    for name in node._attributes:
        if (value := getattr(node, name, None)) is not None:
            result[name] = value
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            result[name] = tree_to_json(value, depth + 1)
        elif isinstance(value, list):
            result[name] = [tree_to_json(item, depth + 1) if isinstance(item, ast.AST)
                            else _constant(item, line, column) for item in value]
        else:
            result[name] = _constant(value, line, column)
    return result


def _constant(value: Any, line: int, column: int) -> Any:
    """JSON of a constant. What JSON has no word for is {"_": Python type, "text": repr}."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and value in _INT64:
        return value
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return value
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise SourceError("a string holds half of a surrogate pair", line, column) from error
        return value
    try:
        text = hex(value) if isinstance(value, int) else repr(value)
    except ValueError as error:
        raise SourceError(f"a constant without a text: {error}", line, column) from error
    return {"_": type(value).__name__, "text": text}


def parse_reply(path: str) -> dict[str, Any]:
    """The "parsed" reply for a source file."""
    try:
        tree = tree_to_json(parse_source(read_source(path), path))
    except SourceError as error:
        return {"type": "parsed", "ok": False, "message": str(error), "line": error.line,
                "column": error.column}
    return {"type": "parsed", "ok": True, "tree": tree}
