"""`croq tune FILE.py` without a GPU: a kernel that a person brought, from its table to its script."""

from __future__ import annotations

import ast
import json
import subprocess
import unittest
from pathlib import Path

from croq_binary import PYTHON, SOURCE, CroqTest, croq, has_command

SOFTMAX = (SOURCE / "examples/softmax.py").read_text(encoding="utf-8")
SMALL = ["--dims", "M=64,N=256"]
HAS_TRITON = PYTHON.exists() and subprocess.run(
    [str(PYTHON), "-c", "import triton, torch"], capture_output=True, check=False).returncode == 0

CONTRACT_FILE = '''
import torch
import triton
import triton.language as tl

M, N, K = 128, 128, 128
BLOCK_M = 64
BLOCK_N = 64
BLOCK_K = 32


@triton.jit
def mm(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * K + (start + k)[None, :], mask=m[:, None] < M, other=0.0)
        b = tl.load(b_ptr + (start + k)[:, None] * N + n[None, :], mask=n[None, :] < N, other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + m[:, None] * N + n[None, :], acc.to(tl.float16),
             mask=(m[:, None] < M) & (n[None, :] < N))


def kernel_fn(a, b):
    c = torch.empty((a.shape[0], b.shape[1]), device=a.device, dtype=torch.float16)
    grid = (triton.cdiv(a.shape[0], BLOCK_M), triton.cdiv(b.shape[1], BLOCK_N))
    mm[grid](a, b, c, a.shape[0], b.shape[1], a.shape[1], BM=BLOCK_M, BN=BLOCK_N, BK=BLOCK_K,
             num_warps=4)
    return c


def verify():
    return True


def bench():
    pass


if __name__ == "__main__":
    verify()
    bench()
'''


@unittest.skipUnless(has_command("tune"), "this croq has no tune command")
@unittest.skipUnless(HAS_TRITON, f"no Triton and torch in {PYTHON}")
class TuneFile(CroqTest):
    def write(self, text: str, name: str = "mine.py") -> Path:
        path = self.scratch / name
        path.write_text(text, encoding="utf-8")
        return path

    def tune(self, path: Path, *arguments: str):
        return croq("tune", str(path), "--device", "offline:sm90", "--out", str(self.scratch),
                    "--trials", "4", *arguments)

    def events(self, path: Path, *arguments: str) -> list[dict]:
        ran = self.tune(path, *arguments, "--json")
        self.assertEqual(ran.code, 0, ran)
        return [json.loads(line) for line in ran.out.splitlines()]

    def test_the_best_is_a_pinned_script_and_the_session_goes_on(self) -> None:
        path = self.write(SOFTMAX)
        events = self.events(path, *SMALL)
        finished = events[-1]
        self.assertEqual(finished["event"], "finished")
        self.assertTrue(finished["best"]["predicted"])
        self.assertIn("gbps", finished["figures"])
        self.assertIn("speedup_first", finished["figures"])
        trials = [event for event in events if event["event"] == "trial"]
        self.assertIn("STREAM=0 num_stages=3 num_warps=4", trials[0]["config"])
        self.assertEqual({trial["outcome"] for trial in trials}, {"correct"})
        script = Path(finished["script"]).read_text(encoding="utf-8")
        names = {node.name for node in ast.parse(script).body
                 if isinstance(node, ast.FunctionDef)}
        self.assertLessEqual({"softmax", "verify", "bench"}, names)
        self.assertNotIn("autotune", script)
        reference = next(Path(finished["script"]).parent.glob("iter000_*.py"))
        self.assertIn("softmax_reference(**", reference.read_text(encoding="utf-8"))
        ran = croq("show", "softmax", "--out", str(self.scratch))
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("of the file's own first configuration", ran.out)
        ran = croq("export", "softmax", "--best", "--format", "config", "--out", str(self.scratch))
        self.assertRegex(ran.out, r"^triton.Config\(\{\"STREAM\": [01]\}, num_stages=3, num_warps=\d+\)")

        again = self.events(path, *SMALL)
        self.assertTrue(again[0]["resumed"])
        self.write(SOFTMAX.replace("configs=[", "configs=[config for config in [").replace(
            "],\n    key", "] if torch.cuda.get_device_properties(0).multi_processor_count],\n    key"))
        changed = self.events(path, *SMALL)
        notes = " ".join(event.get("message", "") for event in changed)
        self.assertIn("has changed since", notes)
        self.assertIn("mine.py is imported, in a process without GPU and network", notes)
        self.assertIn("STREAM=0 num_stages=3 num_warps=4",
                      next(event for event in changed if event["event"] == "trial")["config"])

    @unittest.skipUnless(has_command("check"), "this croq has no purity rule")
    def test_a_file_that_breaks_the_rule_becomes_an_attempt(self) -> None:
        ran = self.tune(self.write(SOFTMAX.replace(
            "    return y\n", "    return torch.softmax(x, dim=-1)\n")), *SMALL)
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("rule", ran.out)
        self.assertTrue(list(self.scratch.rglob("attempt0001_*.py")))

    def test_a_file_of_the_contract_needs_no_table(self) -> None:
        events = self.events(self.write(CONTRACT_FILE), "--model", "me")
        finished = events[-1]
        self.assertIn("matmul_f16fp32_128x128x128", finished["script"])
        script = Path(finished["script"]).read_text(encoding="utf-8")
        self.assertEqual(script.count("def verify"), 1)

    def test_mistakes_are_usage_errors(self) -> None:
        for name, text, arguments, parts in (
                ("no table", "x = 1\n", [], ["mine.py has no CROQ", "--shape"]),
                ("no Python", "def f(:\n", [], ["mine.py:1:7"]),
                ("unknown key", SOFTMAX.replace('"flops"', '"flop"'), [],
                 ["has no key 'flop'; did you mean 'flops'?"]),
                ("unknown dim", SOFTMAX, ["--dims", "Q=3"], ["has no dimension 'Q'"]),
                ("dims without sense", SOFTMAX, ["--dims", "M"], ["--dims 'M'"]),
                ("unknown entry", SOFTMAX, ["--entry", "softmin"],
                 ["--entry 'softmin'", "did you mean 'softmax'?"]),
                ("computed configurations",
                 SOFTMAX.replace("configs=[", "configs=[*helper(),"), [],
                 ["NameError: name 'helper' is not defined", "mine.py:25"]),
                ("shape beside a table", SOFTMAX, ["--shape", "matmul_f16fp32_1x1x1"], ["--shape"]),
                ("too large", SOFTMAX, ["--dims", "M=1000000,N=200000"], ["device memory"])):
            with self.subTest(name):
                ran = self.tune(self.write(text), *arguments)
                self.assert_usage_error(ran, *parts)
                self.assertFalse((self.scratch / "tuning").exists(), "something was written")

    def test_options_of_files_need_a_file(self) -> None:
        ran = croq("tune", "matmul_f16fp32_64x64x64", "--widen", "--device", "offline:sm90",
                   "--out", str(self.scratch))
        self.assert_usage_error(ran, "--widen", "go with a file")
        ran = croq("tune", str(self.scratch / "none.py"), "--device", "offline:sm90",
                   "--out", str(self.scratch))
        self.assert_usage_error(ran, "there is no such file")


if __name__ == "__main__":
    unittest.main()
