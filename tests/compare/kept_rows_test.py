"""The rows in data/compare are what docs/benchmarks.md and the README print."""

from __future__ import annotations

import unittest
from pathlib import Path

import made_rows  # noqa: F401 (puts bench/ on the path)
from compare import cases, plot, rows, table

ROOT = Path(__file__).resolve().parents[2]


class KeptRows(unittest.TestCase):
    kept = rows.read_all(sorted((ROOT / "data/compare").glob("*.json")))

    def test_there_is_one_of_each_shape(self) -> None:
        self.assertEqual([row["shape_key"] for row in self.kept], list(cases.KEYS))

    def test_the_document_holds_their_table(self) -> None:
        document = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
        for line in table.markdown(self.kept).splitlines():
            self.assertIn(line, document)

    def test_the_plot_is_theirs(self) -> None:
        drawn = (ROOT / "docs/compare.svg").read_text(encoding="utf-8")
        self.assertEqual(drawn, plot.svg(self.kept, "cold"))

    def test_the_readme_has_their_ratios(self) -> None:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        for row in self.kept:
            found = [rows.ratio(row, name, "cold", field) for _, name, field in table.RATIOS]
            cells = " | ".join(f"{ratio.value:.3f}" for ratio in found if ratio)
            self.assertIn(f"| {cells} |", readme)


if __name__ == "__main__":
    unittest.main()
