"""The capture mode on brought problems: arguments by name, outputs found among the buffers."""

from __future__ import annotations

import unittest
from typing import Any

import brought_problems as problems
from worker_client import KERNELS, Worker


class CaptureBroughtTest(unittest.TestCase):
    worker: Worker
    compiler: Worker

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker, cls.compiler = Worker("capture"), Worker("compile")

    @classmethod
    def tearDownClass(cls) -> None:
        for worker in (cls.worker, cls.compiler):
            worker.__exit__()

    def ask(self, source: str, problem: dict[str, Any]) -> dict[str, Any]:
        return self.worker.ask({"type": "capture", "source": str(KERNELS / source),
                                "problem": problem, "timeout_s": 60.0})

    def plan(self, source: str, problem: dict[str, Any]) -> dict[str, Any]:
        reply = self.ask(source, problem)
        self.assertTrue(reply["ok"], reply)
        plan = reply["plan"]
        for kernel in plan["kernels"]:
            compiled = self.compiler.ask({
                "type": "compile", "source": str(KERNELS / source), "target": 90,
                "out": str(self.compiler.path / "out"), **kernel})
            self.assertTrue(compiled["ok"], compiled)
        plan["returned"] = reply["returned"]
        return plan

    def buffers(self, plan: dict[str, Any]) -> list[tuple[str, int, bool]]:
        return [(b["name"], b["bytes"], b["scratch"]) for b in plan["buffers"]]

    def test_softmax(self) -> None:
        plan = self.plan("brought_softmax.py", problems.softmax())
        self.assertEqual(self.buffers(plan), [("x", 64000, False), ("y", 64000, False)])
        self.assertEqual(plan["returned"], "y")
        step, = plan["steps"]
        self.assertEqual(step["grid"], [64, 1, 1])
        self.assertEqual([a.get("buffer") for a in step["arguments"]], [0, 1, None, None])
        self.assertEqual(step["arguments"][3], {"kind": "scalar", "type": "fp32", "integer": 0,
                                                "real": 0.5})
        constants = {p["name"]: p.get("value") for p in plan["kernels"][0]["parameters"]}
        self.assertEqual(constants["EVEN"], {"kind": "bool", "value": False})

    def test_elements(self) -> None:
        for element, pointer, size in (("bf16", "*bf16", 2), ("fp32", "*fp32", 4),
                                       ("fp8e4nv", "*fp8e4nv", 1), ("fp8e5", "*fp8e5", 1)):
            with self.subTest(element=element):
                reply = self.ask("brought_softmax.py", problems.softmax(element=element))
                self.assertTrue(reply["ok"], reply)
                plan = reply["plan"]
                self.assertEqual(plan["kernels"][0]["parameters"][0]["type"], pointer)
                self.assertEqual(plan["buffers"][1]["bytes"], 64 * 500 * size)

    def test_in_place(self) -> None:
        wanted = [("x", 64000, False), ("weight", 2000, False), ("residual", 64000, False),
                  ("y", 64000, False), ("count", 256, False)]
        for entry in ("rmsnorm", "rmsnorm_all"):
            with self.subTest(entry=entry):
                plan = self.plan("brought_rmsnorm.py", problems.rmsnorm(entry))
                self.assertEqual(self.buffers(plan), wanted)
                pointers = [a["buffer"] for a in plan["steps"][0]["arguments"][:5]]
                self.assertEqual(pointers, [0, 2, 1, 3, 4])
        self.assertEqual(plan["returned"], "y, count")
        reply = self.ask("brought_rmsnorm.py", problems.rmsnorm("rmsnorm_copied"))
        self.assertIn("in the place of the in-place tensor 'residual'", reply["message"])

    def test_split_k_is_one_plan(self) -> None:
        plan = self.plan("brought_splitk.py", problems.splitk())
        self.assertEqual(self.buffers(plan), [
            ("a", 64 * 256 * 2, False), ("b", 256 * 96 * 2, False), ("c", 64 * 96 * 2, False),
            ("scratch0", 4 * 64 * 96 * 4, True)])
        self.assertEqual([step["grid"] for step in plan["steps"]], [[2, 3, 4], [24, 1, 1]])
        self.assertEqual([k["kernel"] for k in plan["kernels"]],
                         ["partial_kernel", "reduce_kernel"])
        self.assertEqual(plan["steps"][1]["arguments"][0]["buffer"], 3)

    def test_attention_gives_two_outputs(self) -> None:
        plan = self.plan("brought_attention.py", problems.attention())
        self.assertEqual([name for name, _, _ in self.buffers(plan)],
                         ["q", "k", "v", "o", "lse"])
        self.assertEqual(plan["returned"], "o, lse")
        self.assertEqual(plan["steps"][0]["grid"], [3, 4, 1])

    def test_a_plan_of_huge_tensors_costs_no_memory(self) -> None:
        plan = self.plan("brought_softmax.py", problems.softmax(rows=1 << 24, columns=500))
        self.assertEqual(plan["buffers"][0]["bytes"], (1 << 24) * 1000)

    def test_refusals(self) -> None:
        cases = {"returns_input": "returned its argument x for 'y'",
                 "returns_view": "row-major in memory of its own",
                 "returns_columns": "strides (1, 64)", "returns_float": "torch.float32 for 'y'",
                 "returns_nothing": "returned nothing", "returns_two": "returned 2 values",
                 "by_torch": "aten._softmax", "absent": "no function 'absent'"}
        for entry, words in cases.items():
            with self.subTest(entry=entry):
                reply = self.ask("brought_softmax.py", problems.softmax(entry))
                self.assertFalse(reply["ok"], reply)
                self.assertIn(words, reply["message"])

    def test_arguments_that_the_entry_has_not(self) -> None:
        wrong = problems.softmax()
        wrong["arguments"].append({"name": "extra", "value": 1})
        reply = self.ask("brought_softmax.py", wrong)
        self.assertIn("unexpected keyword argument 'extra'", reply["message"])

    def test_messages_that_make_no_sense(self) -> None:
        for field, value, words in (("element", "fp12", "'fp12' is not known"),
                                    ("shape", [1.5], "'shape[0]'"), ("role", "guest", "guest")):
            wrong = problems.softmax()
            wrong["tensors"][0][field] = value
            reply = self.ask("brought_softmax.py", wrong)
            self.assertEqual(reply["type"], "error")
            self.assertIn(words, reply["message"])


if __name__ == "__main__":
    unittest.main()
