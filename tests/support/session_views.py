"""Holds a session's views, results.tsv and the .jsonl files, against its journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from session_store import Row, Session, Snapshot

Line = tuple[str, ...]


def _unescape(text: str) -> str:
    """Undoes the views' backslash escapes."""
    result = []
    characters = iter(text)
    for character in characters:
        if character == "\\":
            character = {"t": "\t", "n": "\n", "r": "\r"}.get(following := next(characters, ""),
                                                               following)
        result.append(character)
    return "".join(result)


def _table_line(text: str) -> Line:
    fields = [_unescape(field) for field in text.split("\t")]
    if len(fields) != 6:
        raise ValueError(f"{len(fields)} fields")
    return tuple(fields)


def _iteration_line(row: Row) -> Line:
    name = f"iter{row['number']:03}"
    return (name, f"{name}_{row['tag']}", f"{row['tflops']:.2f}", row["decision"],
            row["bottleneck"], row["idea"])


def _json_line(*names: str) -> Callable[[str], Line]:
    def read(text: str) -> Line:
        value = json.loads(text)
        return tuple(str(value[name]) for name in names)
    return read


def _idea_line(row: Row) -> Line:
    return tuple(str(row[name]) for name in ("iter", "idea", "expected", "actual", "decision"))


def _attempt_line(row: Row) -> Line:
    return (f"attempt{row['number']:04}", row["outcome"], row["reason"], str(row["tries"]))


def _expected(name: str, snapshot: Snapshot) -> list[Line]:
    if name == "idea-log.jsonl":
        return [_idea_line(row) for row in snapshot.tables["ideas"]]
    if name == "attempt-log.jsonl":
        return [_attempt_line(row) for row in snapshot.tables["attempts"]]
    predicted = int(name == "predicted.tsv")
    return [_iteration_line(row) for row in snapshot.final() if row["predicted"] == predicted]


READERS: dict[str, Callable[[str], Line]] = {
    "results.tsv": _table_line,
    "predicted.tsv": _table_line,
    "idea-log.jsonl": _json_line("iter", "idea", "expected", "actual", "decision"),
    "attempt-log.jsonl": _json_line("attempt", "outcome", "reason", "tries"),
}


def _lines(path: Path) -> list[str]:
    """Whole lines without a table's heading; what a kill tore off is left out."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = text.split("\n")[:-1]
    return lines[1:] if path.suffix == ".tsv" else lines


def view_problems(session: Session, snapshot: Snapshot, *, least: Snapshot | None = None,
                  exact: bool = False) -> list[str]:
    """What is wrong with the views.

    Between commit and line a kill may leave a view behind, so it has to be a beginning of what the
    journal says; no shorter than that of `least`, which the session was last opened with; and the
    whole of it where `exact`.
    """
    logs = session.folder("logs")
    if logs is None:
        return []
    problems = []
    for name, read in READERS.items():
        wanted = _expected(name, snapshot)
        try:
            found = [read(line) for line in _lines(logs / name)]
        except (ValueError, KeyError) as error:
            problems.append(f"{name} can't be read: {error}")
            continue
        if found != wanted[:len(found)]:
            wrong = next(i for i, line in enumerate(found) if line not in wanted[i:i + 1])
            problems.append(f"{name}, line {wrong}: {found[wrong]}, not {wanted[wrong:wrong + 1]}")
        shortest = len(wanted) if exact else len(_expected(name, least)) if least else 0
        if len(found) < shortest:
            problems.append(f"{name} has {len(found)} of {shortest} lines")
    return problems
