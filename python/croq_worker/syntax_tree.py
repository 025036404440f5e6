"""A source file's syntax tree, made by CPython's own parser from the file's bytes.

Everything unusual fails closed: the engine edits files by byte range and must see exactly what
Python sees. Columns are byte offsets into the line, lines are counted by "\\n".
"""

from __future__ import annotations

import ast
import base64
import gc
import io
import re
import tokenize
import unicodedata
import warnings
from pathlib import Path
from typing import Any, Mapping

from .compact_tree import SourceError, compact
from .fields import MessageError, get

__all__ = ["MAX_SOURCE_BYTES", "SourceError", "parse_reply", "parse_source", "read_source"]

MAX_SOURCE_BYTES = 256 << 10

_BOM = b"\xef\xbb\xbf"


def read_source(path: str) -> bytes:
    """The file's bytes. Raises SourceError where it can't be read or is too large."""
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error.strerror}") from error


def parse_source(source: bytes, path: str) -> ast.Module:
    """The tree of a source. Raises SourceError with the place of the trouble."""
    text = _checked_text(source, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a string is Python's business
            tree = ast.parse(source, filename=path)
    except SyntaxError as error:
        raise SourceError(f"syntax error: {error.msg}", *_error_place(source, error)) from error
    except (RecursionError, MemoryError) as error:  # both are how the parser's depth ends
        raise SourceError("not parsed: it is nested too deep") from error
    except ValueError as error:
        raise SourceError(f"not parsed: {error}") from error
    if not text.isascii():
        _check_folded_names(text)
    return tree


def _error_place(source: bytes, error: SyntaxError) -> tuple[int, int]:
    """CPython counts the columns of its errors in characters, from 1."""
    number = error.lineno or 1
    lines = source.removeprefix(_BOM).split(b"\n", number)
    line = lines[number - 1].decode("utf-8", "replace") if number <= len(lines) else ""
    return number, len(line[:max((error.offset or 1) - 1, 0)].encode())


def _checked_text(source: bytes, path: str) -> str:
    if len(source) > MAX_SOURCE_BYTES:
        raise SourceError(f"{path} is larger than {MAX_SOURCE_BYTES} bytes")
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError("the file is not UTF-8", *_place(source, error.start)) from error
    if odd := re.search(rb"\r(?!\n)|[\0\f]", source):
        raise SourceError({
            b"\r": "a carriage return without a line feed; Python counts a line there",
            b"\0": "a NUL byte", b"\f": "a form feed; Python restarts the line's indentation there",
        }[odd.group()], *_place(source, odd.start()))
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as error:
        raise SourceError(f"encoding: {error.msg}") from error
    if encoding not in ("utf-8", "utf-8-sig"):
        raise SourceError(f"the file declares the encoding {encoding}; only UTF-8 is taken")
    return text.removeprefix("\ufeff")


def _place(source: bytes, index: int) -> tuple[int, int]:
    start = source.rfind(b"\n", 0, index) + 1
    if start == 0 and source.startswith(_BOM):
        start = len(_BOM)
    return source.count(b"\n", 0, index) + 1, max(index - start, 0)


def _check_folded_names(text: str) -> None:
    """Refuses names that Python folds to ASCII ("ｍｍ" is mm): the tree no longer shows them.

    Names that stay outside ASCII are visible in the tree (compact_tree refuses those).
    """
    folded = {char for char in set(text) if not char.isascii() and ("a" + char).isidentifier()
              and unicodedata.normalize("NFKC", char).isascii()}
    if not folded:
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            # Before Python 3.12 an f-string, names and all, is one token.
            old_f_string = token.type == tokenize.STRING and "f" in re.split(
                "['\"]", token.string, maxsplit=1)[0].lower()
            if token.type in (tokenize.COMMENT, tokenize.STRING) and not old_f_string:
                continue
            if tokenize.tok_name[token.type] in ("FSTRING_MIDDLE", "TSTRING_MIDDLE"):
                continue
            if not (found := folded.intersection(token.string)):
                continue
            char = min(found, key=token.string.index)
            raise SourceError(
                f"the character '{char}' stands in a name, where Python reads it as "
                f"'{unicodedata.normalize('NFKC', char)}'; names are taken in ASCII only",
                token.start[0], len(token.line[:token.start[1]].encode()))
    except (tokenize.TokenError, SyntaxError) as error:
        raise SourceError(f"its tokens can't be read again: {error}") from error


def parse_reply(message: Mapping[str, Any]) -> dict[str, Any]:
    """The "parsed" reply to a "parse" request, which has the file's bytes."""
    path = get(message, "source", str)
    try:
        source = base64.b64decode(get(message, "bytes", str), validate=True)
    except ValueError as error:
        raise MessageError(f"field 'bytes' is not base64: {error}") from error
    gc.disable()  # a tree has thousands of objects and no cycles
    try:
        tree = compact(parse_source(source, path))
    except SourceError as error:
        return {"type": "parsed", "ok": False, "message": str(error), "line": error.line,
                "column": error.column}
    finally:
        gc.enable()
    return {"type": "parsed", "ok": True, "tree": tree}
