"""Holds what the C++ templates and plans say against Triton.

The scripts' own launches as the capture worker records them, real compiles, and the interpreter
on the small twins.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable

import triton

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "worker"))
from worker_client import Worker  # noqa: E402 (needs the path above)


class Candidates(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]
    cases: list[dict[str, Any]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="croq_candidates.")
        subprocess.run([os.environ["CROQ_DUMP_CANDIDATES"], cls.folder.name], check=True)
        cls.cases = json.loads((Path(cls.folder.name) / "cases.json").read_text())

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def ask_all(self, mode: str, check: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
        """Sends each case's requests of one mode and checks the replies."""
        with Worker(mode) as worker:
            for case in self.cases:
                requests = case[mode] if isinstance(case[mode], list) else [case[mode]]
                for request in requests:
                    with self.subTest(case["name"], kernel=request.get("kernel")):
                        check(case, worker.ask(request))

    def test_plans_are_what_the_scripts_launch(self) -> None:
        def check(case: dict[str, Any], reply: dict[str, Any]) -> None:
            self.assertTrue(reply["ok"], reply.get("message"))
            self.maxDiff = None
            self.assertEqual(reply["plan"], case["captured"]["plan"])

        self.ask_all("capture", check)

    def test_all_compile_within_the_limits(self) -> None:
        def check(case: dict[str, Any], reply: dict[str, Any]) -> None:
            self.assertEqual(case["rejected"], "")
            self.assertTrue(reply["ok"], reply.get("message"))
            self.assertLessEqual(reply["shared"], 232448)
            specialised = "WARP_SPECIALIZE=1" in case["name"]
            self.assertEqual(reply["warp_specialized"], specialised)
            if multiplies_by_wgmma(case["name"]) and reply["entry"] == "matmul_kernel":
                self.assertRegex(sass(reply["cubin"]), "QGMMA" if "e4m3" in case["name"] else "HGMMA")

        self.ask_all("compile", check)

    def test_twins_are_right_in_the_interpreter(self) -> None:
        def check(case: dict[str, Any], reply: dict[str, Any]) -> None:
            self.assertTrue(reply["ok"], reply.get("message"))
            self.assertTrue(reply["passed"], reply)

        self.ask_all("interpret", check)

    def test_stream_k_is_right_for_any_number_of_programs(self) -> None:
        case = next(c for c in self.cases if " stream_k " in c["name"])
        with Worker("interpret") as worker:
            for programs in (1, 3, 5, 6, 7, 16, 23):
                overrides = {"NUM_PROGRAMS": programs, "BLOCK_K": 16}
                with self.subTest(programs=programs):
                    reply = worker.ask({**case["interpret"], "overrides": overrides})
                    self.assertTrue(reply["ok"] and reply["passed"], reply)

    def test_grouped_order_visits_every_tile_once(self) -> None:
        order = grouped_order(Path(self.cases[0]["script"]))
        chosen = random.Random(7)
        sizes = [(m, n, g) for m in range(1, 8) for n in range(1, 8) for g in (1, 2, 4, 8)]
        sizes += [(chosen.randint(1, 200), chosen.randint(1, 200), 2 ** chosen.randint(0, 5))
                  for _ in range(60)]
        for tiles_m, tiles_n, group in sizes:
            visited = {order(tile, tiles_m, tiles_n, group) for tile in range(tiles_m * tiles_n)}
            self.assertEqual(visited, {(m, n) for m in range(tiles_m) for n in range(tiles_n)})


def multiplies_by_wgmma(name: str) -> bool:
    """Whether the tile's rows are enough for a warp group's instruction in half precision or FP8."""
    rows = re.search(r" BLOCK_M=(\d+)", name)
    return ("f16fp32" in name or "e4m3" in name) and rows is not None and int(rows[1]) >= 64


def sass(cubin: str) -> str:
    """What the GPU runs, by Triton's own disassembler; HGMMA is wgmma there, QGMMA that of FP8."""
    tool = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    return subprocess.run([tool, "-sass", cubin], check=True, capture_output=True, text=True).stdout


def grouped_order(script: Path) -> Callable[..., tuple[int, int]]:
    """The script's own function, as plain Python: its integers are not negative."""
    tree = ast.parse(script.read_text())
    tree.body = [node for node in tree.body
                 if isinstance(node, ast.FunctionDef) and node.name == "grouped_order"]
    namespace: dict[str, Any] = {"triton": SimpleNamespace(jit=lambda function: function),
                                 "tl": SimpleNamespace(constexpr=int)}
    exec(compile(tree, str(script), "exec"), namespace)
    return namespace["grouped_order"]


if __name__ == "__main__":
    unittest.main()
