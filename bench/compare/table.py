"""Rows as one Markdown table. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

from . import rows
from .contestant import BAR, TITLES
from .paired import Ratio, geometric_mean
from .rows import Row

# Columns of ratios: heading, contestant, which ratio.
RATIOS = (
    ("croq", "croq", "ratio"),
    ("croq of cublasLt's best", "croq", "ratio_lt"),
    (TITLES["cublaslt_best"], "cublaslt_best", "ratio"),
    (TITLES["autotune"], "autotune", "ratio"),
    (TITLES["inductor"], "inductor", "ratio"),
)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def ratio_text(ratio: Ratio) -> str:
    """As `1.052 [1.048, 1.056]`."""
    if ratio.low is None or ratio.high is None:
        return f"{ratio.value:.3f} (too few pairs)"
    return f"{ratio.value:.3f} [{ratio.low:.3f}, {ratio.high:.3f}]"


def _ratio_cell(row: Row, name: str, regime: str, field: str) -> str:
    why = rows.dead(row, name)
    if why:
        return why
    ratio = rows.ratio(row, name, regime, field)
    return ratio_text(ratio) if ratio is not None else "-"


def _seconds(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f} s" if value < 9.95 else f"{value:.0f} s"


def _croq_seconds(row: Row) -> str:
    session = (row.get("croq") or {}).get("session") or {}
    within = session.get("seconds_to_within")
    whole = _seconds(row["contestants"].get("croq", {}).get("seconds"))
    return f"{whole}, to 1%: {_seconds(within)}" if within is not None else whole


def _seconds_cells(row: Row) -> list[str]:
    cells = [_croq_seconds(row), ""]
    for _, name, _ in RATIOS[2:]:
        cells.append(_seconds(row["contestants"].get(name, {}).get("seconds")))
    return cells


def _shape_lines(row: Row) -> list[str]:
    bar = row["contestants"][BAR]
    lines = []
    for regime in rows.REGIMES:
        tflops = (bar.get(regime) or {}).get("tflops")
        lines.append(_line([
            row["shape_key"] if regime == rows.REGIMES[0] else "", regime,
            f"{tflops:.1f}" if tflops is not None else "-",
            *(_ratio_cell(row, name, regime, field) for _, name, field in RATIOS)]))
    lines.append(_line(["", "time taken", _seconds(bar.get("seconds")), *_seconds_cells(row)]))
    return lines


Summary = Callable[[list[tuple[str, Ratio]]], str]


def _mean(found: list[tuple[str, Ratio]]) -> str:
    mean = geometric_mean([ratio.value for _, ratio in found])
    return f"{mean:.3f} of {len(found)}" if mean is not None else "-"


def _size(key: str) -> str:
    operator, dtype, size = key.rsplit("_", 2)
    return f"{size} {'nt' if operator.endswith('_nt') else 'nn'} {dtype}"


def _least(found: list[tuple[str, Ratio]]) -> str:
    if not found:
        return "-"
    key, ratio = min(found, key=lambda one: one[1].value)
    return f"{ratio.value:.3f} ({_size(key)})"


def _losses(found: list[tuple[str, Ratio]]) -> str:
    return f"{sum(ratio.slower for _, ratio in found)} of {len(found)}" if found else "-"


SUMMARIES: tuple[tuple[str, Summary], ...] = (
    ("geometric mean", _mean), ("lowest", _least), ("slower (whole interval below 1)", _losses))


def _summary_lines(table: Sequence[Row]) -> list[str]:
    lines = []
    for title, summary in SUMMARIES:
        for regime in rows.REGIMES:
            cells = []
            for _, name, field in RATIOS:
                found = [(row["shape_key"], ratio) for row in table
                         if (ratio := rows.ratio(row, name, regime, field)) is not None]
                cells.append(summary(found))
            lines.append(_line([f"**{title}**", regime, "", *cells]))
    return lines


def _within_line(table: Sequence[Row]) -> str:
    found = [seconds for row in table
             if (seconds := ((row.get("croq") or {}).get("session") or {})
                 .get("seconds_to_within")) is not None]
    if not found:
        return ""
    return ("croq's time to within 1% of its session's final best: median "
            f"{statistics.median(found):.1f} s, "
            f"longest {max(found):.1f} s, of {len(found)} shapes.")


def _distinct(table: Sequence[Row], pick: Callable[[Row], Any]) -> str:
    return "; or ".join(dict.fromkeys(str(pick(row)) for row in table))


def _machine(row: Row) -> str:
    machine, versions = row["machine"], row["versions"]
    limit = machine.get("power_limit_w")
    watts = f", {limit:.0f} W" if limit else ""
    return (f"{machine['gpu']} ({machine['sms']} SMs, driver {machine['driver'] or 'unknown'}"
            f"{watts}), {machine['cores']} cores; croq {versions['croq'] or 'not run'}, "
            f"Triton {versions['triton']}, torch {versions['torch']}, "
            f"cublasLt {versions['cublas_lt']}, Python {versions['python']}")


def _clock(table: Sequence[Row], regime: str) -> str:
    states = [state for row in table if (state := row["gpu_state"].get(regime))]
    if not states:
        return f"{regime}: not known"
    clocks = [state["sm_clock_mhz"]["median"] for state in states]
    power = [state["power_w"]["median"] for state in states]
    slowed = sorted({text for state in states for text in state["throttled_by"]})
    return (f"{regime}: {min(clocks):.0f} to {max(clocks):.0f} MHz, {min(power):.0f} to "
            f"{max(power):.0f} W" + (f", slowed by {', '.join(slowed)}" if slowed else ""))


def _commands(table: Sequence[Row]) -> list[str]:
    """The command of each row, its shape key replaced, so that equal ones are said once."""
    commands = dict.fromkeys(row["command"].replace(row["shape_key"], "KEY") for row in table)
    return [f"    {command}" for command in commands]


def _remarks(table: Sequence[Row]) -> list[str]:
    remarks = []
    for row in table:
        for name, entry in row["contestants"].items():
            said = [entry["reason"]] if entry["status"] != "measured" else []
            remarks += [f"- {row['shape_key']}, {TITLES.get(name, name)}: {text}"
                        for text in (*said, *entry["notes"]) if text]
    return remarks


def markdown(table: Sequence[Row]) -> str:
    """The table with the machine, the versions, the commands, and what went wrong."""
    dates = sorted(row["measured_at"][:10] for row in table)
    span = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    head = ["shape key", "regime", "torch.matmul, TFLOPS", *(title for title, _, _ in RATIOS)]
    lines = [f"{_distinct(table, _machine)}; {span}. Each shape is a run of its own:", "",
             *_commands(table), "",
             "Ratios are of torch.matmul (the second column of ratios: of cublasLt's best), above "
             "1: faster; with the 95% interval of interleaved pairs.", "",
             _line(head), _line(["---"] * len(head))]
    for row in table:
        lines += _shape_lines(row)
    lines += [*_summary_lines(table), ""]
    within = _within_line(table)
    lines += [within, ""] if within else []
    lines += ["SM clock and power, medians of the shapes; "
              + "; ".join(_clock(table, regime) for regime in rows.REGIMES) + ".", ""]
    remarks = _remarks(table)
    return "\n".join([*lines, *remarks]).rstrip() + "\n"
