"""Rows as an SVG: a dot with its interval for each shape and contestant. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from . import rows
from .contestant import TITLES
from .paired import Ratio, geometric_mean
from .rows import Row

# Okabe and Ito's colours, which nearly everybody can tell apart; croq's dot is the large one.
_LOOKS = (("croq", "#d55e00", 5.0), ("cublaslt_best", "#0072b2", 3.5),
          ("autotune", "#009e73", 3.5), ("inductor", "#cc79a7", 3.5))

_WIDTH, _LEFT, _RIGHT, _TOP, _STEP, _BOTTOM = 860, 250, 20, 66, 30, 46

# What lies outside is drawn at the edge with its figure: one bad contestant must not squeeze all.
_LOWEST, _HIGHEST = 0.5, 1.5


def _bounds(found: Sequence[Ratio]) -> tuple[float, float]:
    """Tenths around all values and 1, within what is drawn at most."""
    values = [ratio.value for ratio in found] + [1.0]
    low = max(_LOWEST, math.floor(min(values) * 10 - 0.2) / 10)
    high = min(_HIGHEST, math.ceil(max(values) * 10 + 0.2) / 10)
    return low, high


class _Axis:
    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __call__(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return _LEFT + (inside - self.low) / (self.high - self.low) * (_WIDTH - _LEFT - _RIGHT)

    def ticks(self) -> list[float]:
        first, last = round(self.low * 10), round(self.high * 10)
        return [tenth / 10 for tenth in range(first, last + 1)]


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12,
          weight: str = "normal") -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
            f'text-anchor="{anchor}">{escape(text)}</text>')


def _mark(axis: _Axis, y: float, ratio: Ratio, colour: str, radius: float) -> list[str]:
    x = axis(ratio.value)
    parts = []
    if ratio.low is not None and ratio.high is not None:
        parts.append(f'<line x1="{axis(ratio.low):.1f}" y1="{y:.1f}" x2="{axis(ratio.high):.1f}" '
                     f'y2="{y:.1f}" stroke="{colour}" stroke-width="2"/>')
    parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>')
    if not axis.low <= ratio.value <= axis.high:
        right = ratio.value < axis.low
        parts.append(_text(x + (8 if right else -8), y + 4, f"{ratio.value:.2f}",
                           "start" if right else "end", 10))
    return parts


def _label(key: str) -> str:
    operator, dtype, size = key.rsplit("_", 2)
    short = {"f16fp32": "f16", "bf16fp32": "bf16", "tf32fp32": "tf32", "e4m3fp32": "e4m3"}
    return f"{size} {'nt' if operator.endswith('_nt') else 'nn'} {short.get(dtype, dtype)}"


def _legend() -> list[str]:
    parts, x = [], float(_LEFT)
    for name, colour, radius in _LOOKS:
        parts.append(f'<circle cx="{x:.1f}" cy="44" r="{radius}" fill="{colour}"/>')
        parts.append(_text(x + 9, 48, TITLES[name]))
        x += 30 + 6.6 * len(TITLES[name])
    return parts


def _grid(axis: _Axis, bottom: float) -> list[str]:
    parts = []
    for tick in axis.ticks():
        one = math.isclose(tick, 1.0)
        x = axis(tick)
        parts.append(f'<line x1="{x:.1f}" y1="{_TOP - 6}" x2="{x:.1f}" y2="{bottom:.1f}" '
                     f'stroke="{"#333" if one else "#ddd"}" stroke-width="{2 if one else 1}"/>')
        parts.append(_text(x, bottom + 16, f"{tick:.1f}", "middle"))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, bottom + 34,
                       "speed over torch.matmul (1: as fast; to the right: faster)", "middle"))
    return parts


def _shape(axis: _Axis, row: Row, regime: str, y: float) -> list[str]:
    parts = [_text(_LEFT - 12, y + 4, _label(row["shape_key"]), "end")]
    for place, (name, colour, radius) in enumerate(_LOOKS):
        ratio = rows.ratio(row, name, regime)
        if ratio is not None:
            parts += _mark(axis, y + 4.5 * (place - 1.5), ratio, colour, radius)
        elif name == "croq":
            parts.append(_text(_LEFT + 6, y + 4, f"croq: {rows.dead(row, name)}", size=10))
    return parts


def svg(table: Sequence[Row], regime: str = "cold") -> str:
    """The picture for one regime, on a white ground so that it reads on any page."""
    found = [ratio for row in table for name, _, _ in _LOOKS
             if (ratio := rows.ratio(row, name, regime)) is not None]
    axis = _Axis(*_bounds(found))
    bottom = _TOP + _STEP * len(table)
    height = bottom + _BOTTOM
    mean = geometric_mean([ratio.value for row in table
                           if (ratio := rows.ratio(row, "croq", regime)) is not None])
    gpu = table[0]["machine"]["gpu"] if table else ""
    title = f"{gpu}, {regime}" + (f": croq {mean:.3f} of torch.matmul (geometric mean)"
                                  if mean is not None else "")
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
             f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" fill="#222">',
             f"<title>{escape(title)}</title>",
             f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
             _text(_LEFT, 24, title, size=15, weight="bold"), *_legend(), *_grid(axis, bottom)]
    for place, row in enumerate(table):
        parts += _shape(axis, row, regime, _TOP + _STEP * (place + 0.5))
    return "\n".join([*parts, "</svg>"]) + "\n"
