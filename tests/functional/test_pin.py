"""`croq pin`: what the command does around the pinning itself (tests/golden/pin has that)."""

from __future__ import annotations

import json
import os
import unittest

from croq_binary import PYTHON, SOURCE, CroqTest, Ran, croq
from test_sessions import make_session

CORPUS = SOURCE / "tests" / "golden" / "pin"
PINNED = (CORPUS / "literal_configs.pinned.py").read_bytes()


class Pin(CroqTest):
    def setUp(self) -> None:
        super().setUp()
        self.file = self.scratch / "kernel.py"
        self.file.write_bytes((CORPUS / "literal_configs.py").read_bytes())

    def pin(self, *arguments: str) -> Ran:
        return croq("pin", str(self.file), *arguments)

    def test_prints_the_file_and_reports_the_edits_apart(self) -> None:
        ran = self.pin("--index", "1")
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(ran.out.encode(), PINNED)
        self.assertEqual(ran.err.splitlines(), [
            f"{self.file}:8:1: takes the autotuner off 'scale'",
            f"{self.file}:25:65: launches 'scale' with BLOCK=256, num_warps=8, num_stages=2"])

    def test_writes_a_file_and_leaves_the_other(self) -> None:
        before = self.file.read_bytes()
        self.file.chmod(0o755)
        output = self.scratch / "pinned.py"
        ran = self.pin("--index", "1", "-o", str(output))
        self.assertEqual((ran.code, ran.out), (0, ""), ran)
        self.assertEqual(output.read_bytes(), PINNED)
        self.assertTrue(os.access(output, os.X_OK))
        self.assertEqual(self.file.read_bytes(), before)

    def test_writes_over_the_file_where_it_is_told_to(self) -> None:
        self.assertEqual(self.pin("--index", "1", "-o", str(self.file)).code, 0)
        self.assertEqual(self.file.read_bytes(), PINNED)
        again = self.pin("--index", "1")
        self.assert_usage_error(again, "there is no autotuned kernel in it to pin")

    def test_an_index_below_0(self) -> None:
        self.assert_usage_error(self.pin("--index", "-1"), "--index -1: the configurations of a "
                                                           "list are counted from 0")

    def test_json(self) -> None:
        ran = self.pin("--config", "BLOCK=256,num_warps=8,num_stages=2", "--json")
        self.assertEqual(ran.code, 0, ran)
        told = json.loads(ran.out)
        self.assertEqual(set(told), {"file", "edits", "warnings", "source"})
        self.assertEqual(told["source"].encode(), PINNED)
        self.assertEqual(told["edits"][0], {"line": 8, "column": 1,
                                            "what": "takes the autotuner off 'scale'"})
        output = str(self.scratch / "x.py")
        self.assertEqual(json.loads(self.pin("--index", "0", "--json", "-o", output).out)["output"],
                         output)

    def test_a_refusal_writes_nothing(self) -> None:
        self.file.write_bytes((CORPUS / "best_config_read.py").read_bytes())
        output = self.scratch / "pinned.py"
        self.assert_usage_error(self.pin("--index", "0", "-o", str(output)),
                                f"{self.file}:23:11: 'scale.best_config' is read here")
        self.assertFalse(output.exists())

    def test_one_configuration_is_asked_for(self) -> None:
        for arguments in ((), ("--index", "1", "--config", "BLOCK=1")):
            self.assert_usage_error(self.pin(*arguments), "say which configuration, once")

    def test_bad_values(self) -> None:
        self.assert_usage_error(self.pin("--config", "BLOCK"), "'BLOCK' is no NAME=VALUE")
        self.assert_usage_error(self.pin("--config", "BLOK=1"), f"{self.file}:17:1",
                                "which has x, y, n, BLOCK", "did you mean BLOCK?")
        self.assert_usage_error(self.pin("--index", "7"), "goes from 0 to 2, not 7")
        self.assert_usage_error(self.pin("--kernel", "scal", "--index", "0"), "scale (line 8)",
                                "did you mean scale?")
        self.assert_usage_error(
            self.pin("--kernel", "scale", "--config", "scale.BLOCK=1"), "leave --kernel out")

    def test_files_that_are_none(self) -> None:
        self.file.write_text("x = (\n", encoding="utf-8")
        self.assert_usage_error(self.pin("--index", "0"), f"{self.file}:1:5: syntax error")
        self.file.unlink()
        self.assert_usage_error(self.pin("--index", "0"), "No such file")

    @unittest.skipUnless(PYTHON.exists(), "no interpreter with Triton")
    def test_an_index_into_a_list_that_the_file_computes(self) -> None:
        text = (CORPUS / "computed_list.py").read_text(encoding="utf-8")
        self.file.write_text(text.replace("os.cpu_count()", "len(os.sep) * 64"), encoding="utf-8")
        ran = self.pin("--index", "1")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn(f"croq: {self.file} is imported, in a process without GPU", ran.err)
        self.assertIn("(x, y, n, BLOCK=192, num_warps=4, num_stages=3)", ran.out)
        self.assertNotIn("autotune", ran.out)

    def test_best_of_a_session(self) -> None:
        make_session(self.scratch)
        levers = ("BLOCK_K", "BLOCK_M", "BLOCK_N", "EPILOGUE_SPLIT", "EVICT_A", "EVICT_B",
                  "GROUP_M")
        self.file.write_text(
            "import triton\nimport triton.language as tl\n\n\n"
            "@triton.autotune(configs=[], key=[])\n@triton.jit\n"
            f"def mm(x, {', '.join(f'{name}: tl.constexpr' for name in levers)}):\n"
            "    tl.store(x, 1.0)\n\n\n"
            "def launch(x):\n    mm[(1,)](x)\n", encoding="utf-8")
        ran = self.pin("--best", "croq", "--out", str(self.scratch))
        self.assertEqual(ran.code, 0, ran)
        self.assertIn('mm[(1,)](x, BLOCK_K=64, BLOCK_M=128, BLOCK_N=256, EPILOGUE_SPLIT=1, '
                      'EVICT_A="none", EVICT_B="none", GROUP_M=8, num_warps=8, num_stages=3)',
                      ran.out)
        self.assertIn("iter002_tiled_large of sm90_NVIDIA_H200/triton/", ran.err)

    def test_best_of_a_session_that_is_not_there(self) -> None:
        self.assert_usage_error(self.pin("--best", "nosuch", "--out", str(self.scratch)),
                                "there are no sessions below")


if __name__ == "__main__":
    unittest.main()
