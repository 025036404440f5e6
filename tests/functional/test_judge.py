"""`croq judge FILE` without a GPU: the rule, the capture, the compiler and the journal."""

from __future__ import annotations

import json
import subprocess
import unittest

from croq_binary import PYTHON, CroqTest, Ran, croq

HAS_TRITON = PYTHON.exists() and subprocess.run(
    [str(PYTHON), "-c", "import triton, torch"], capture_output=True, check=False).returncode == 0
SHAPE = "matmul_f16fp32_256x256x128"

HONEST = '''
import torch
import triton
import triton.language as tl


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
    grid = (triton.cdiv(a.shape[0], 64), triton.cdiv(b.shape[1], 64))
    mm[grid](a, b, c, a.shape[0], b.shape[1], a.shape[1], BM=64, BN=64, BK=32, num_warps=4)
    return c
'''


@unittest.skipUnless(HAS_TRITON, "no interpreter with Triton and torch")
class Judge(CroqTest):
    def judge(self, source: str, name: str = "mine.py", *more: str) -> Ran:
        (self.scratch / name).write_text(source, encoding="utf-8")
        return croq("judge", name, "--shape", SHAPE, "--device", "offline:sm90", "--model", "me",
                    *more, cwd=self.scratch)

    def verdict(self, source: str, name: str = "mine.py") -> dict:
        ran = self.judge(source, name, "--json", "--idea", "tiles of 64")
        self.assertIn(ran.code, (0, 3), ran)
        return json.loads(ran.out)

    def test_from_honest_to_cheating_in_one_session(self) -> None:
        honest = self.verdict(HONEST)
        self.assertEqual(honest["outcome"], "correct")
        self.assertEqual(honest["numbers_checked"], not honest["predicted"])
        self.assertEqual(honest["iteration"], "iter001_mine")
        self.assertEqual(honest["decision"], "KEEP")
        self.assertTrue(honest["predicted"])
        self.assertIsNone(honest["ratio_cublas"])
        self.assertIsNone(honest["claims"]["verify"])
        self.assertIn("problem", honest["claims"])
        self.assertGreater(honest["tflops"], 0)

        rule = self.verdict(HONEST.replace("    return c\n", "    return torch.matmul(a, b)\n"))
        self.assertEqual(rule["outcome"], "rule")
        self.assertEqual(rule["attempt"], "attempt0001_mine")
        self.assertTrue([f for f in rule["findings"] if f["level"] == "reject"], rule)
        self.assertEqual(rule["findings"][0]["chain"][0]["name"], "kernel_fn")

        compiled = self.verdict(HONEST.replace("BK=32", "BK=33"))
        self.assertEqual(compiled["outcome"], "compile")
        self.assertIn("power of 2", compiled["reason"])
        wrong_result = self.verdict(HONEST.replace("    return c\n", "    return a\n"))
        self.assertEqual(wrong_result["outcome"], "runtime")
        self.assertIn("kernel_fn", wrong_result["reason"])

        shown = croq("show", "me", cwd=self.scratch)
        self.assertIn("iter001_mine", shown.out)
        self.assertIn("attempt0003_mine", shown.out)
        ideas = next(self.scratch.rglob("idea-log.jsonl")).read_text(encoding="utf-8")
        self.assertIn("tiles of 64", ideas)

    def test_help_names_the_model_it_takes(self) -> None:
        self.assertIn("(default: agent)", " ".join(croq("judge", "--help").out.split()))

    def test_bad_input(self) -> None:
        self.assert_usage_error(
            croq("judge", "none.py", "--shape", SHAPE, cwd=self.scratch), "none.py", "No such file")
        self.assert_usage_error(croq("judge", "x.py", cwd=self.scratch), "--shape")
        self.assert_usage_error(self.judge(HONEST, "mine.py", "--idea", "two\nlines"), "one line")
        self.assert_usage_error(self.judge(HONEST, "mine.py", "--model", "../x"), "model")
        self.assertFalse((self.scratch / "tuning").exists())


if __name__ == "__main__":
    unittest.main()
