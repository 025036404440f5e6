"""Rows merged into a table and a plot, and the command line; croq itself is a stand-in."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import made_rows
from compare import cases, command, croq_session, plot, rows, table
from compare.contestant import FAILED, Contestant, enter
from compare.errors import UsageError
from compare.paired import Ratio

FAST, SLOW, FP8 = cases.KEYS[4], cases.KEYS[1], cases.KEYS[15]

CROQ = """#!/bin/sh
printf '%s\\n' "$@" > "$SAID"
now=$(date -u +%Y-%m-%dT%H:%M:%S.999Z)
while [ "$1" != --out ]; do shift; done
echo "def kernel_fn(a, b): pass" > "$2/iter001_x.py"
echo '{"event":"started","at":"'$now'","predicted":'${PREDICTED:-false}',"versions":{"croq":"9"}}'
echo '{"event":"trial","at":"'$now'","config":"x","time_ms":1.0,"outcome":"correct"}'
[ -z "$CUT" ] || exit 1
echo '{"event":"finished","at":"'$now'","best":{"config":"x"},"script":"'$2'/iter001_x.py"}'
"""


def made() -> list[rows.Row]:
    """A shape won, a shape lost, one that croq can't do."""
    lost = {"croq": 0.9, "cublaslt_best": 1.04, "autotune": 0.3, "inductor": 1.0}
    return [made_rows.row(SLOW, lost, seed=1),
            made_rows.row(FAST, {"croq": 1.21, "cublaslt_best": 1.1, "autotune": 0.95}, seed=2,
                          within=12.25),
            made_rows.unsupported(made_rows.row(FP8, {"croq": 1, "cublaslt_best": 1.0}, seed=3))]


class Table(unittest.TestCase):
    def setUp(self) -> None:
        self.text = table.markdown(made())
        self.lines = [[cell.strip() for cell in line.strip("|").split("|")]
                      for line in self.text.splitlines() if line.startswith("|")]

    def line(self, first: str, regime: str) -> list[str]:
        """The cells of a shape's or summary's line; its first cell stands on the first only."""
        start = next(index for index, cells in enumerate(self.lines) if cells[0] == first)
        return next(cells for cells in self.lines[start:] if cells[1] == regime)

    def test_is_one_table_with_equal_lines(self) -> None:
        self.assertEqual({len(cells) for cells in self.lines}, {8})
        self.assertEqual(len(self.lines), 2 + 3 * 3 + 2 * 3)

    def test_ratios_have_their_intervals_in_both_regimes(self) -> None:
        for regime in ("cold", "sustained"):
            found = re.fullmatch(r"1\.2\d\d \[1\.(\d{3}), 1\.(\d{3})\]", self.line(FAST, regime)[3])
            self.assertIsNotNone(found)
            self.assertLess(int(found[1]), int(found[2]))
        self.assertRegex(self.line(FAST, "cold")[4], r"^1\.1\d\d \[")  # 1.21 / 1.1
        self.assertEqual(self.line(FAST, "cold")[7], "not asked for")

    def test_losses_are_in_it(self) -> None:
        self.assertRegex(self.line(SLOW, "cold")[3], r"^0\.[89]")
        lowest = self.line("**lowest**", "cold")
        self.assertRegex(lowest[3], r"^0\.[89]\d\d \(2048x2048x2048 nt f16fp32\)$")
        self.assertEqual(self.line("**slower (whole interval below 1)**", "cold")[3], "1 of 2")

    def test_the_mean_is_geometric_and_says_of_how_many(self) -> None:
        value, of = self.line("**geometric mean**", "cold")[3].split(" of ")
        self.assertAlmostEqual(float(value), (0.9 * 1.21) ** 0.5, delta=0.01)
        self.assertEqual(of, "2")

    def test_what_croq_cannot_do_is_marked(self) -> None:
        self.assertEqual(self.line(FP8, "cold")[3:5], ["no such operator yet"] * 2)
        self.assertIn(f"- {FP8}, croq: unknown dtype 'e4m3fp32'", self.text)

    def test_times_taken(self) -> None:
        self.assertEqual(self.line(FAST, "time taken")[3], "11 s, to 1%: 12 s")
        self.assertIn("median 16.9 s, longest 21.5 s, of 2 shapes", self.text)

    def test_machine_versions_and_command_are_said_once(self) -> None:
        for said in ("NVIDIA H200 (132 SMs, driver 580.1, 700 W), 16 cores", "Triton 3.6.0",
                     "    python3 bench/compare run KEY\n", "2026-01-02"):
            self.assertEqual(self.text.count(said), 1, said)
        self.assertIn("cold: 1750 to 1750 MHz, 650 to 650 W, slowed by software power cap",
                      self.text)

    def test_too_few_pairs(self) -> None:
        self.assertEqual(table.ratio_text(Ratio(1.5, None, None, 3)), "1.500 (too few pairs)")


class Plot(unittest.TestCase):
    def test_is_svg_with_a_dot_for_each_ratio(self) -> None:
        root = ElementTree.fromstring(plot.svg(made()))
        dots = [one for one in root.iter("{http://www.w3.org/2000/svg}circle")]
        self.assertEqual(len(dots), 4 + 8)  # the legend's, and those of 4 + 3 + 1 contestants
        texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("2048x2048x2048 nt f16", texts)
        self.assertIn("croq: no such operator yet", texts)
        self.assertIn("0.30", texts)  # off the scale: drawn at the edge, with its figure

    def test_nothing_lies_outside_the_picture(self) -> None:
        root = ElementTree.fromstring(plot.svg(made(), "sustained"))
        width, height = float(root.get("width")), float(root.get("height"))
        for one in root.iter():
            for name, limit in (("cx", width), ("x", width), ("x1", width), ("x2", width),
                                ("cy", height), ("y", height), ("y1", height), ("y2", height)):
                if one.get(name) is not None:
                    self.assertTrue(0 <= float(one.get(name)) <= limit, (one.tag, name))


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        held = tempfile.TemporaryDirectory(prefix="croq-compare-test-")
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)

    def compare(self, *said: str, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name != "CROQ"}
        return subprocess.run([sys.executable, str(made_rows.ROOT / "bench/compare"), *said],
                              capture_output=True, text=True, check=False, cwd=self.folder,
                              env=kept | environment, stdin=subprocess.DEVNULL)

    def write(self, *table_rows: rows.Row, name: str = "") -> list[str]:
        paths = [self.folder / f"{name}{index}.json" for index in range(len(table_rows))]
        for row, path in zip(table_rows, paths):
            rows.write(row, path)
        return [str(path) for path in paths]


class CommandLine(Folder):
    def test_merge_sorts_and_writes_table_and_plot(self) -> None:
        done = self.compare("merge", *reversed(self.write(*made())), "--table", "t.md", "--plot",
                            "p.svg", "--regime", "sustained")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        text = (self.folder / "t.md").read_text(encoding="utf-8")
        self.assertEqual(text, table.markdown(made()))
        ElementTree.parse(self.folder / "p.svg")

    def test_usage_errors_end_with_2_and_one_line(self) -> None:
        row, other = made()[0], made_rows.row(FAST, {"croq": 1.0}, gpu="NVIDIA H100")
        (self.folder / "bad.json").write_text("{", encoding="utf-8")
        (self.folder / "old.json").write_text(json.dumps(row | {"format": 0}), encoding="utf-8")
        same, different = self.write(row, row), self.write(row, other, name="other")
        nowhere, bad = str(self.folder / "no"), str(self.folder / "bad.json")
        for said, expected in (
                ((), "required"), (("run",), "KEY"), (("run", "matmul_1x1"), "no shape key"),
                (("run", FAST, "--time", "1m"), "whole number"),
                (("run", FAST, "--contestants", "croq,tvm"), "unknown tvm"),
                (("run", FAST, "--croq", "/no/croq"), "is no program"),
                (("run", FAST, "--script", nowhere), "there is no file"),
                (("run", FAST, "--device", "gpu"), "as in cuda:0"),
                (("merge",), "ROW.json"), (("merge", nowhere), "can't be read"),
                (("merge", bad), "is no JSON"),
                (("merge", str(self.folder / "old.json")), "has format 0"),
                (("merge", *same), "both rows"), (("merge", *different), "different GPUs")):
            message = io.StringIO()
            with contextlib.redirect_stderr(message):
                self.assertEqual(command.main(said), 2, said)
            self.assertIn(expected, message.getvalue())
            self.assertEqual(len(message.getvalue().splitlines()), 1)

    def test_list_names_the_shapes_and_exit_codes_reach_the_shell(self) -> None:
        self.assertEqual(tuple(self.compare("list").stdout.split()), cases.KEYS)
        self.assertEqual(self.compare("lists").returncode, 2)

    def test_without_torch_it_says_so_before_tuning(self) -> None:
        croq = self.folder / "croq"
        croq.write_text("#!/bin/sh\ntouch called\n", encoding="utf-8")
        croq.chmod(0o755)
        (self.folder / "torch.py").write_text("raise ImportError('no', name='torch')\n",
                                              encoding="utf-8")
        done = self.compare("run", FAST, CROQ=str(croq), PYTHONPATH=str(self.folder))
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no torch", done.stderr)
        self.assertFalse((self.folder / "called").exists())


class CroqSession(Folder):
    def tune(self, script: str, **environment: str) -> croq_session.CroqRun:
        croq = self.folder / "croq"
        croq.write_text(script, encoding="utf-8")
        croq.chmod(0o755)
        out = self.folder / "out"
        out.mkdir()
        return croq_session.tune(croq, FAST, seconds=7, device="cuda:0", folder=out,
                                 environment=dict(os.environ, SAID=str(self.folder / "said"))
                                 | environment)

    def test_tunes_from_cold_and_finds_the_kernel(self) -> None:
        run = self.tune(CROQ)
        self.assertEqual((run.status, run.reason), ("ready", ""))
        self.assertEqual(run.script, self.folder / "out/iter001_x.py")
        self.assertGreater(run.session.seconds_to_within, 0)
        self.assertEqual((self.folder / "said").read_text(encoding="utf-8").split(), [
            "tune", FAST, "--time", "7s", "--device", "cuda:0", "--json", "--out",
            str(self.folder / "out")])

    def test_an_unknown_operator_is_no_failure(self) -> None:
        run = self.tune("#!/bin/sh\necho \"croq: unknown dtype 'e4m3fp32'\" >&2\nexit 2\n")
        self.assertEqual((run.status, run.reason, run.script),
                         ("unsupported", "croq: unknown dtype 'e4m3fp32'", None))

    def test_failures_say_why(self) -> None:
        run = self.tune("#!/bin/sh\necho first >&2\necho 'croq: no disk' >&2\nexit 1\n")
        self.assertEqual((run.status, run.reason), ("failed", "croq: no disk"))

    def test_a_cut_session_keeps_no_script(self) -> None:
        self.assertEqual(self.tune(CROQ, CUT="1").status, "failed")

    def test_predictions_are_not_measured(self) -> None:
        run = self.tune(CROQ, PREDICTED="true")
        self.assertEqual(run.status, "failed")
        self.assertIn("predicted", run.reason)


class Entering(unittest.TestCase):
    def test_a_contestant_that_fails_or_hangs_stays_out_by_itself(self) -> None:
        def fails() -> Contestant:
            raise ValueError("no\nmore")

        def hangs() -> Contestant:
            while True:
                try:
                    while True:
                        pass
                except Exception:  # as the tools do while they search
                    continue

        for build, reason in ((fails, "ValueError: no"), (hangs, "not done after 0 s")):
            found = enter("inductor", build, lambda: None, 0.1)
            self.assertEqual((found.status, found.reason, found.call), (FAILED, reason, None))

    def test_a_contestant_is_timed_to_its_first_result(self) -> None:
        waited: list[str] = []
        found = enter("x", lambda: Contestant("x", call=lambda _: None),
                      lambda: waited.append("x"), 5.0)
        self.assertEqual(waited, ["x"])
        self.assertGreaterEqual(found.seconds, 0)


class Reading(unittest.TestCase):
    def test_nothing_to_merge(self) -> None:
        with self.assertRaises(UsageError):
            rows.read_all([])


if __name__ == "__main__":
    unittest.main()
