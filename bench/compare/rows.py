"""A row: what one run found about one shape, as a JSON file. Pure but for reading and writing."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .cases import KEYS, parse
from .contestant import BAR, TITLES
from .errors import UsageError
from .paired import Ratio, paired_ratio

FORMAT = 1
REGIMES = ("cold", "sustained")

Row = dict[str, Any]


def figures(key: str, name: str, times: dict[str, list[float]]) -> dict[str, Any]:
    """A contestant's figures in one regime, from the times of all in it."""
    case, own = parse(key), times[name]
    median = statistics.median(own)
    found: dict[str, Any] = {"median_ms": median, "tflops": case.tflops(median)}
    for field, other in (("ratio", BAR), ("ratio_lt", "cublaslt_best")):
        if other == name or other not in times:
            continue
        ratio = paired_ratio(own, times[other])
        found[field] = ratio.to_json() if ratio is not None else None
    return found


def _known(value: object, text: str, path: Path) -> None:
    if not value:
        raise UsageError(f"{path}: {text}")


def read(path: Path) -> Row:
    """A row from a file that `run` wrote."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path} is no JSON: {error}") from error
    _known(isinstance(row, dict) and "shape_key" in row and "contestants" in row,
           "is no row of bench/compare", path)
    _known(row.get("format") == FORMAT,
           f"has format {row.get('format')}; this program reads {FORMAT}", path)
    parse(row["shape_key"])
    _known(BAR in row["contestants"], f"has no {TITLES[BAR]}", path)
    return row


def read_all(paths: Iterable[Path]) -> list[Row]:
    """Rows of different shapes of one kind of GPU, in the order in which shapes are listed."""
    rows: list[Row] = []
    places: dict[str, Path] = {}
    for path in paths:
        row = read(path)
        key = row["shape_key"]
        if key in places:
            raise UsageError(f"{places[key]} and {path} are both rows of {key}: leave one out")
        places[key] = path
        rows.append(row)
    if not rows:
        raise UsageError("there are no rows to merge")
    gpus = sorted({row["machine"]["gpu"] for row in rows})
    if len(gpus) > 1:
        raise UsageError(f"these rows are of different GPUs ({', '.join(gpus)}): a table is of one")
    place = {key: index for index, key in enumerate(KEYS)}
    return sorted(rows, key=lambda row: (place.get(row["shape_key"], len(KEYS)),
                                         row["shape_key"]))


def write(row: Row, path: Path) -> None:
    """Replaces the file in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def ratio(row: Row, name: str, regime: str, field: str = "ratio") -> Ratio | None:
    """A contestant's ratio to the bar (`ratio_lt`: to cublasLt's best), where there is one."""
    found = (row["contestants"].get(name, {}).get(regime) or {}).get(field)
    return Ratio.from_json(found) if found else None


def dead(row: Row, name: str) -> str:
    """Why a contestant has no figures, in a few words; empty where it has."""
    entry = row["contestants"].get(name)
    if entry is None:
        return "not asked for"
    if entry["status"] == "unsupported":
        return "no such operator yet"
    return "" if entry["status"] == "measured" else str(entry["status"])
