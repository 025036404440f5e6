"""The interpret mode on brought problems, and its comparison on tensors that are known."""

from __future__ import annotations

import math
import unittest
from typing import Any

import brought_problems as problems
import numpy as np
import torch
from worker_client import KERNELS, Worker

from croq_worker import interpret_brought
from croq_worker.brought import TensorSpec
from croq_worker.interpret_worker import unfit


class DrawTest(unittest.TestCase):
    def draw(self, element: str, distribution: str, first: float, second: float) -> torch.Tensor:
        spec = TensorSpec("x", element, (4, 500), "input", distribution, first, second)
        made = interpret_brought.draw(spec, np.random.default_rng(1))
        self.assertEqual((tuple(made.shape), made.dtype), ((4, 500), spec.torch_dtype()))
        return made.to(torch.float64)

    def test_distributions(self) -> None:
        normal = self.draw("fp16", "normal", 2, 0.5)
        self.assertAlmostEqual(normal.mean().item(), 2, delta=0.05)
        self.assertAlmostEqual(normal.std().item(), 0.5, delta=0.05)
        self.assertEqual(set(self.draw("i32", "integer", -1, 1).flatten().tolist()), {-1, 0, 1})
        self.assertEqual(set(self.draw("i1", "integer", 0, 1).flatten().tolist()), {0, 1})
        self.assertEqual(set(self.draw("u8", "uniform", 0, 3).flatten().tolist()), {0, 1, 2})
        self.assertEqual(self.draw("i64", "arange", 5, 2).flatten()[:3].tolist(), [5, 7, 9])
        self.assertEqual(self.draw("i8", "constant", 300, 0).unique().tolist(), [127])
        self.assertLess(self.draw("fp8e5", "uniform", -1, 1).abs().max().item(), 1.001)


class CompareTest(unittest.TestCase):
    def ratio(self, output: torch.Tensor, reference: torch.Tensor, element: str = "fp16") -> float:
        spec = TensorSpec("y", element, tuple(output.shape), "output")
        found = interpret_brought.Found()
        interpret_brought.compare(spec, output, reference, 1e-3, found)
        self.nan_count = found.nan_count
        return found.worst_ratio

    def test_real_tensors(self) -> None:
        torch.manual_seed(3)
        reference = torch.softmax(torch.randn(8, 1000), -1)
        honest = reference.half()
        self.assertLess(self.ratio(honest, reference), 0.7)
        self.assertGreater(self.ratio(torch.zeros_like(honest), reference), 10)
        lost = honest.clone()
        lost[-1] = 0
        self.assertGreater(self.ratio(lost, reference), 10)
        self.assertGreater(self.ratio((reference * 1.02).half(), reference), 1)
        lost[3, 4] = math.nan
        self.ratio(lost, reference)
        self.assertEqual(self.nan_count, 1)

    def test_whole_numbers_must_be_equal(self) -> None:
        right = torch.arange(10, dtype=torch.int32)
        self.assertEqual(self.ratio(right, right, "i32"), 0)
        self.assertEqual(self.ratio(right + 1, right, "i32"), math.inf)


class InterpretBroughtTest(unittest.TestCase):
    worker: Worker

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker("interpret")
        problem = unfit(cls.worker.hello["triton"], cls.worker.hello["numpy"])
        if problem:
            cls.worker.__exit__()
            raise unittest.SkipTest(problem)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.__exit__()

    def ask(self, source: str, problem: dict[str, Any], edit: tuple[str, str] = ("", "")
            ) -> dict[str, Any]:
        path = self.worker.path / source
        text = (KERNELS / source).read_text()
        self.assertIn(edit[0], text)
        path.write_text(text.replace(*edit) if edit[0] else text)
        return self.worker.ask({"type": "interpret", "source": str(path), "problem": problem,
                                "seed": "7", "max_abs_tolerance": 1e-3, "timeout_s": 120.0})

    def test_right_kernels_pass(self) -> None:
        for source, problem in (
                ("brought_softmax.py", problems.softmax(rows=3)),
                ("brought_softmax.py", problems.softmax(rows=3, element="fp32", dtype="f32")),
                ("brought_rmsnorm.py", problems.rmsnorm(rows=3)),
                ("brought_rmsnorm.py", problems.rmsnorm("rmsnorm_all", rows=3)),
                ("brought_splitk.py", problems.splitk(40, 24, 128)),
                ("brought_attention.py", problems.attention(40, 32))):
            with self.subTest(source=source, entry=problem["entry"]):
                reply = self.ask(source, problem)
                self.assertTrue(reply["ok"] and reply["passed"], reply)
                self.assertGreater(reply["worst_ratio"], 0)

    def test_bf16_goes_as_its_twin(self) -> None:
        problem = problems.softmax(rows=3, element="bf16", dtype="bf16fp32")
        reply = self.ask("brought_softmax.py", problem)
        self.assertTrue(reply["ok"] and reply["passed"], reply)
        self.assertEqual(reply["checked_as"], "f16fp32")

    def test_wrong_kernels_do_not(self) -> None:
        for source, problem, edit in (
                ("brought_softmax.py", problems.softmax(rows=3), ("tl.sum(e, 0)", "500.0")),
                ("brought_rmsnorm.py", problems.rmsnorm(rows=3), ("(h > 0).to", "(h > 1).to")),
                ("brought_rmsnorm.py", problems.rmsnorm(rows=3),
                 ("tl.store(residual_ptr", "tl.store(y_ptr")),
                ("brought_splitk.py", problems.splitk(40, 24, 128),
                 ("range(SPLITS)", "range(SPLITS - 1)"))):
            with self.subTest(source=source, edit=edit):
                reply = self.ask(source, problem, edit)
                self.assertTrue(reply["ok"], reply)
                self.assertFalse(reply["passed"])
        reply = self.ask("brought_softmax.py", problems.softmax("wrong", rows=3))
        self.assertFalse(reply["ok"] and reply["passed"])

    def test_a_reference_that_raises_is_named(self) -> None:
        head = "def softmax_reference(x, scale):\n"
        reply = self.ask("brought_softmax.py", problems.softmax(rows=3),
                         (head, f"{head}    raise ValueError('boom')\n"))
        self.assertFalse(reply["ok"], reply)
        self.assertIn("the reference 'softmax_reference' failed: ValueError: boom",
                      reply["message"])

    def test_failures(self) -> None:
        for problem, words in ((problems.softmax("returns_float", rows=3), "torch.float32 for 'y'"),
                               (problems.softmax("returns_nothing", rows=3), "a NoneType for 'y'"),
                               (problems.softmax(reference="pair_reference", rows=3), "wanted are 1"),
                               (problems.softmax("absent"), "no function 'absent'")):
            with self.subTest(words=words):
                reply = self.ask("brought_softmax.py", problem)
                self.assertFalse(reply["ok"], reply)
                self.assertIn(words, reply["message"])


if __name__ == "__main__":
    unittest.main()
