"""Reads a session's journal and holds it against what must be true of it after any kill."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]

#: Tables whose rows are never taken back, with their keys.
KEYS = {"trials": "id", "iterations": "number", "attempts": "number", "ideas": "id", "runs": "id"}
#: What may change in a row that is committed.
MUTABLE = {"attempts": {"files_moved"}, "runs": {"status", "last_at"}}
SOURCE_NAME = re.compile(r"iter(\d{3,})_(\w+)\.py")


@dataclass(frozen=True)
class Snapshot:
    """A journal's tables at one moment, oldest row first."""

    tables: dict[str, list[Row]]
    damage: list[str]

    def final(self) -> list[Row]:
        """Iterations that are committed."""
        return [row for row in self.tables["iterations"] if row["state"] == "final"]

    def trials(self) -> list[Row]:
        """Trials that got as far as the compiler."""
        return [row for row in self.tables["trials"] if row["outcome"] != "constraints"]


@dataclass(frozen=True)
class Session:
    """Where the files of one shape's only session in an output folder lie."""

    out: Path
    key: str
    model: str = "croq"

    def folder(self, kind: str) -> Path | None:
        """tuning/<gpu>/<dsl>/<kind>/<key>/<model>, of the one device there is."""
        found = sorted(self.out.glob(f"tuning/*/*/{kind}/{self.key}/{self.model}"))
        return found[0] if found else None

    def store(self) -> Path | None:
        """The journal, where there is one."""
        logs = self.folder("logs")
        path = logs / "journal.db" if logs else None
        return path if path and path.exists() else None

    def snapshot(self) -> Snapshot | None:
        """Reads a copy, so that looking repairs nothing; None where there is no journal yet."""
        store = self.store()
        if store is None:
            return None
        with tempfile.TemporaryDirectory(prefix="croq-journal-") as folder:
            for name in (store.name, store.name + "-wal"):
                if store.with_name(name).exists():
                    shutil.copy(store.with_name(name), folder)
            return _read(Path(folder) / store.name)


def _read(path: Path) -> Snapshot:
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    try:
        damage = [str(row[0]) for row in database.execute("PRAGMA integrity_check")
                  if row[0] != "ok"]
        damage += [f"foreign key: {tuple(row)}"
                   for row in database.execute("PRAGMA foreign_key_check")]
        tables = {table: [dict(row) for row in
                          database.execute(f"SELECT * FROM {table} ORDER BY {key}")]
                  for table, key in KEYS.items()}
    except sqlite3.DatabaseError as error:
        return Snapshot({table: [] for table in KEYS}, [f"it can't be read: {error}"])
    finally:
        database.close()
    return Snapshot(tables, damage)


def lost_rows(before: Snapshot, after: Snapshot) -> list[str]:
    """Committed rows that are missing or changed. An open iteration may still become anything."""
    problems = []
    for table, key in KEYS.items():
        now = {row[key]: row for row in after.tables[table]}
        loose = MUTABLE.get(table, set())
        for row in before.tables[table]:
            if row.get("state") == "open":
                continue
            there = now.get(row[key])
            if there is None:
                problems.append(f"{table}: row {row[key]} is lost")
                continue
            changed = [name for name in row if name not in loose and row[name] != there[name]]
            if changed:
                problems.append(f"{table}: row {row[key]} was changed in {', '.join(changed)}")
    return problems


def _gaps(what: str, numbers: list[int], first: int) -> list[str]:
    wanted = list(range(first, first + len(numbers)))
    return [] if numbers == wanted else [f"{what} are numbered {numbers}"]


def _twice(what: str, configs: list[str]) -> list[str]:
    return [f"{what} {config} is there {count} times"
            for config, count in Counter(configs).items() if count > 1]


def unsound(snapshot: Snapshot) -> list[str]:
    """What is wrong within the journal: damage, gaps, doubles, ideas that are missing."""
    tables = snapshot.tables
    problems = [f"integrity: {text}" for text in snapshot.damage]
    problems += _gaps("trials", [row["id"] for row in tables["trials"]], 1)
    problems += _gaps("iterations", [row["number"] for row in tables["iterations"]], 0)
    problems += _gaps("attempts", [row["number"] for row in tables["attempts"]], 1)
    problems += _twice("trial", [row["config"] for row in snapshot.trials()])
    problems += _twice("iteration of", [row["config"] for row in snapshot.final()])
    if sum(row["state"] == "open" for row in tables["iterations"]) > 1:
        problems.append("two iterations are open")
    wanted = [f"iter{row['number']:03}" for row in snapshot.final() if row["number"] > 0]
    ideas = [row["iter"] for row in tables["ideas"] if row["iter"].startswith("iter")]
    if ideas != wanted:
        problems.append(f"ideas of {ideas}, not of {wanted}")
    return problems


def file_problems(session: Session, snapshot: Snapshot) -> list[str]:
    """Sources against rows: one file a committed iteration, at most the open one beside them."""
    sources = session.folder("srcs")
    commands = session.folder("cmd")
    found: dict[int, list[str]] = {}
    for path in sources.iterdir() if sources else ():
        match = SOURCE_NAME.fullmatch(path.name)
        if match:
            found.setdefault(int(match[1]), []).append(match[2])
    problems = []
    last = len(snapshot.tables["iterations"])
    # A kill may fall between an attempt's row and the moving of its files.
    last += any(row["files_moved"] == 0 for row in snapshot.tables["attempts"])
    for number, tags in found.items():
        if len(tags) > 1 or number >= last:
            problems.append(f"sources of iteration {number} of {last}: {tags}")
    for row in snapshot.final():
        if found.get(row["number"]) != [row["tag"]]:
            problems.append(f"iteration {row['number']}_{row['tag']} has the sources "
                            f"{found.get(row['number'])}")
        for kind in ("build", "run", "profile"):
            script = f"{kind}_iter{row['number']:03}.sh"
            if commands is None or not (commands / script).is_file():
                problems.append(f"{script} is missing")
    return problems
