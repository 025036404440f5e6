"""The reference mode: what it writes, and what it says of references that don't fit."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

import brought_problems as problems
import torch
from worker_client import KERNELS, Worker

from croq_worker.brought import Brought


class ReferenceTest(unittest.TestCase):
    worker: Worker

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker("reference")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.__exit__()

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="croq_reference_test.")
        self.addCleanup(folder.cleanup)
        self.inputs, self.outputs = Path(folder.name, "in"), Path(folder.name, "out")
        self.inputs.mkdir()
        self.outputs.mkdir()

    def ask(self, source: str, problem: dict[str, Any], **changes: Any) -> dict[str, Any]:
        message = {"type": "reference", "source": str(KERNELS / source), "problem": problem,
                   "inputs": str(self.inputs), "outputs": str(self.outputs), "device": "cpu",
                   "time": True, "timeout_s": 60.0}
        return self.worker.ask({**message, **changes})

    def fill(self, problem: dict[str, Any]) -> dict[str, torch.Tensor]:
        """Writes inputs as the runner does."""
        specs = Brought.decode({"source": "", "problem": problem}).of_role("input", "inout")
        torch.manual_seed(1)
        made = {}
        for spec in specs:
            made[spec.name] = torch.randn(spec.shape).to(spec.torch_dtype())
            data = made[spec.name].flatten().view(torch.uint8).numpy().tobytes()
            (self.inputs / f"{spec.name}.bin").write_bytes(data)
        return made

    def result(self, name: str, shape: tuple[int, ...], dtype: torch.dtype = torch.float32
               ) -> torch.Tensor:
        data = bytearray((self.outputs / f"{name}.bin").read_bytes())
        return torch.frombuffer(data, dtype=dtype).reshape(shape)

    def refused(self, reference: str, **changes: Any) -> str:
        problem = problems.softmax(reference=reference)
        self.fill(problem)
        reply = self.ask("brought_softmax.py", problem, **changes)
        self.assertFalse(reply["ok"], reply)
        self.assertEqual(list(self.outputs.iterdir()), [])
        return f"{reply['outcome']}: {reply['message']}"

    def test_hello(self) -> None:
        self.assertEqual(self.worker.hello["worker"], "reference")

    def test_softmax_in_float32(self) -> None:
        for element in ("fp16", "bf16", "fp32", "fp8e5"):
            with self.subTest(element=element):
                problem = problems.softmax(element=element)
                x = self.fill(problem)["x"].to(torch.float32)
                reply = self.ask("brought_softmax.py", problem)
                self.assertTrue(reply["ok"], reply)
                self.assertEqual((reply["contract_ms"], reply["cold_ms"]), (0.0, 0.0))
                torch.testing.assert_close(self.result("y", (64, 500)),
                                           torch.softmax(x * 0.5, -1), rtol=1e-6, atol=0)

    def test_narrow_tensors_come_as_float32(self) -> None:
        problem = problems.softmax(reference="float_reference", element="bf16")
        x = self.fill(problem)["x"]
        self.assertTrue(self.ask("brought_softmax.py", problem)["ok"])
        torch.testing.assert_close(self.result("y", (64, 500)), x.float(), rtol=0, atol=0)

    def test_outputs_and_in_place_tensors(self) -> None:
        problem = problems.rmsnorm()
        made = self.fill(problem)
        reply = self.ask("brought_rmsnorm.py", problem)
        self.assertTrue(reply["ok"], reply)
        h = made["x"].float() + made["residual"].float()
        torch.testing.assert_close(self.result("residual", (64, 500)), h, rtol=0, atol=0)
        count = self.result("count", (64,), torch.int32)  # int64 as the function gives it
        torch.testing.assert_close(count, (h > 0).sum(-1).int())
        self.assertEqual((self.outputs / "y.bin").stat().st_size, 64 * 500 * 4)

    def test_attention(self) -> None:
        problem = problems.attention()
        self.fill(problem)
        self.assertTrue(self.ask("brought_attention.py", problem)["ok"])
        self.assertEqual((self.outputs / "lse.bin").stat().st_size, 2 * 2 * 96 * 4)

    def test_references_that_do_not_fit(self) -> None:
        cases = {"narrow_reference": "shape (63, 500); the table says (64, 500)",
                 "infinite_reference": "32000 of 32000 elements that are not finite",
                 "huge_reference": "not finite in torch.float16",
                 "pair_reference": "returned 2 values; wanted are 1",
                 "integer_reference": "is torch.int32; the table says torch.float16",
                 "greedy_reference": "wants weight; there are x, scale, causal",
                 "absent": "no function 'absent'"}
        for reference, words in cases.items():
            with self.subTest(reference=reference):
                self.assertIn(words, self.refused(reference))
        self.assertRegex(self.refused("failing_reference"),
                         r"ValueError: on purpose \(.*brought_softmax.py:\d+ in failing_reference")

    def test_a_reference_without_end(self) -> None:
        self.assertTrue(self.refused("endless_reference", timeout_s=1.0).startswith("timeout"))

    def test_inputs_that_are_not_there(self) -> None:
        problem = problems.softmax()
        self.assertIn("the inputs are not there", self.ask("brought_softmax.py",
                                                           problem)["message"])
        (self.inputs / "x.bin").write_bytes(b"123")
        self.assertIn("has 3 bytes; 'x' has 64000", self.ask("brought_softmax.py",
                                                             problem)["message"])

    def test_a_gpu_that_is_not_there(self) -> None:
        if torch.cuda.is_available():
            self.skipTest("there is one")
        problem = problems.softmax()
        self.fill(problem)
        self.assertIn("finds no GPU", self.ask("brought_softmax.py", problem,
                                               device="cuda:0")["message"])
        self.assertEqual(self.ask("brought_softmax.py", problem, device="tpu")["type"], "error")


if __name__ == "__main__":
    unittest.main()
