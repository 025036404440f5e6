"""The interpret mode, and its comparison on numbers that are known."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from worker_client import KERNELS, Worker

from croq_worker import interpret_check
from croq_worker.interpret_worker import unfit

SMALL = {"BLOCK_M": 32, "BLOCK_N": 16, "BLOCK_K": 32}


class CheckTest(unittest.TestCase):
    def product(self, half: bool = True) -> tuple[Any, Any, Any]:
        a, b = interpret_check.make_inputs(48, 40, 64, 1, transposed_b=False, half=half)
        c = (a.astype(np.float64) @ b.astype(np.float64)).astype(a.dtype)
        return a, b, c

    def test_inputs_give_c_the_deviation_of_a_quarter(self) -> None:
        a, b = interpret_check.make_inputs(256, 256, 1024, 3, transposed_b=False, half=False)
        self.assertAlmostEqual(float((a @ b).std()), 0.25, delta=0.01)
        self.assertEqual(interpret_check.make_inputs(2, 3, 4, 0, True, True)[1].shape, (3, 4))

    def test_a_rounded_product_passes(self) -> None:
        for half, unit in ((True, 2.0**-11), (False, 2.0**-24)):
            a, b, c = self.product(half)
            found = interpret_check.compare(a, b, c, unit, half)
            self.assertLessEqual(found.worst_ratio, 1.0)
            self.assertEqual(found.nan_count, 0)

    def test_one_wrong_element_fails(self) -> None:
        a, b, c = self.product()
        c[7, 9] += np.float16(0.01)
        found = interpret_check.compare(a, b, c, 2.0**-11, True)
        self.assertGreater(found.worst_ratio, 1.0)
        self.assertAlmostEqual(found.max_abs_err, 0.01, delta=0.001)

    def test_what_is_not_finite_is_counted(self) -> None:
        a, b, c = self.product()
        c[0, 0], c[1, 1], c[2, 2] = np.nan, np.inf, -np.inf
        found = interpret_check.compare(a, b, c, 2.0**-11, True)
        self.assertEqual(found.nan_count, 3)
        self.assertLessEqual(found.worst_ratio, 1.0)

    def test_environments_that_do_not_fit(self) -> None:
        self.assertIn("numpy < 2.4", unfit("3.6.0", "2.5.2") or "")
        self.assertIsNone(unfit("3.6.0", "2.3.5"))
        self.assertIsNone(unfit("3.7.1", "2.5.2"))


class InterpretTest(unittest.TestCase):
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

    def ask(self, source: str, entry: str = "kernel_fn", **changes: Any) -> dict[str, Any]:
        message = {"type": "interpret", "source": str(KERNELS / source), "entry": entry,
                   "operator": "matmul", "dtype": "f16fp32", "m": 48, "n": 32, "k": 80,
                   "timeout_s": 120.0, "seed": "7", "max_abs_tolerance": 1e-3}
        return self.worker.ask({**message, **changes})

    def test_right_kernels_pass(self) -> None:
        for source in ("pointer_matmul.py", "descriptor_matmul.py", "persistent_matmul.py",
                       "splitk_matmul.py"):
            with self.subTest(source=source):
                reply = self.ask(source, overrides=SMALL)
                self.assertTrue(reply["ok"] and reply["passed"], reply)
                self.assertLess(reply["max_abs_err"], 1e-3)
                self.assertLessEqual(reply["worst_ratio"], 1.0)
                self.assertEqual((reply["nan_count"], reply["checked_as"]), (0, "f16fp32"))

    def test_dtypes(self) -> None:
        for dtype, checked in (("bf16fp32", "f16fp32"), ("f32", "f32"), ("tf32fp32", "f32")):
            with self.subTest(dtype=dtype):
                reply = self.ask("pointer_matmul.py", dtype=dtype, overrides=SMALL)
                self.assertTrue(reply["ok"] and reply["passed"], reply)
                self.assertEqual(reply["checked_as"], checked)

    def test_a_bf16_script_is_checked_as_its_twin(self) -> None:
        path = self.worker.path / "bf16.py"
        text = (KERNELS / "pointer_matmul.py").read_text()
        path.write_text(text.replace("DTYPE = torch.float16", "DTYPE = torch.bfloat16").replace(
            "acc.to(c_ptr.dtype.element_ty)", "acc.to(tl.bfloat16)").replace(
            "    M, K = a.shape", "    assert a.dtype == DTYPE\n    M, K = a.shape"))
        reply = self.ask(str(path), dtype="bf16fp32",
                         overrides={**SMALL, "DTYPE": "torch.bfloat16"})
        self.assertTrue(reply["ok"] and reply["passed"], reply)

    def test_overrides_reach_the_launcher(self) -> None:
        reply = self.ask("pointer_matmul.py", overrides={"BLOCK_M": 20})
        self.assertFalse(reply["ok"])
        self.assertIn("power of 2", reply["message"])

    def test_wrong_kernels_do_not_pass(self) -> None:
        path = self.worker.path / "wrong.py"
        text = (KERNELS / "pointer_matmul.py").read_text()
        path.write_text(text.replace("range(0, tl.cdiv(K, BLOCK_K))", "range(0, K // BLOCK_K)"))
        reply = self.ask(str(path), overrides=SMALL)  # drops the last, ragged block of K
        self.assertTrue(reply["ok"])
        self.assertFalse(reply["passed"])
        self.assertGreater(reply["worst_ratio"], 1.0)

    def test_untouched_output_is_poison(self) -> None:
        reply = self.ask("host_steps.py", "no_launch")
        self.assertTrue(reply["ok"])
        self.assertFalse(reply["passed"])
        self.assertEqual(reply["nan_count"], 48 * 32)

    def test_failures(self) -> None:
        for entry, outcome, words in (("raises", "runtime", "ValueError: on purpose"),
                                      ("abort", "runtime", "SIGABRT"),
                                      ("leave_politely", "runtime", "SystemExit"),
                                      ("hang", "timeout", "within 2 s")):
            with self.subTest(entry=entry):
                reply = self.ask("host_steps.py", entry, timeout_s=2.0)
                self.assertEqual((reply["ok"], reply["outcome"]), (False, outcome))
                self.assertIn(words, reply["message"])
        self.assertIn("host_steps.py:", self.ask("host_steps.py", "raises",
                                                 dtype="bf16fp32")["message"])

    def test_matmul_nt(self) -> None:
        path = self.worker.path / "nt.py"
        text = (KERNELS / "pointer_matmul.py").read_text()
        path.write_text(text.replace("rk[:, None] * stride_b + (rn % N)[None, :]",
                                     "rk[:, None] + (rn % N)[None, :] * stride_b").replace(
            "b += BLOCK_K * stride_b", "b += BLOCK_K").replace("N = b.shape[1]",
                                                               "N = b.shape[0]"))
        reply = self.ask(str(path), operator="matmul_nt", overrides=SMALL)
        self.assertTrue(reply["ok"] and reply["passed"], reply)


if __name__ == "__main__":
    unittest.main()
