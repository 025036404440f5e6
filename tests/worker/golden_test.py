"""The messages that C++ and Python share, against the files that both sides' tests read."""

from __future__ import annotations

import json
import re
import unittest
from typing import Any

from worker_client import ROOT

from croq_worker import __version__
from croq_worker.brought import Brought
from croq_worker.evaluate import EvaluateRequest
from croq_worker.interpret_worker import InterpretRequest
from croq_worker.messages import CompileRequest, ConstexprValue, KernelParameter, Problem, failure
from croq_worker.plan_recorder import PlanRecorder
from croq_worker.reference_worker import ReferenceRequest
from croq_worker.serve import hello
from croq_worker.signature import from_python, to_python

GOLDEN = ROOT / "tests" / "golden" / "protocol"


def golden(name: str) -> dict[str, Any]:
    return json.loads((GOLDEN / f"{name}.json").read_text())


def kinds(value: Any) -> Any:
    """A message's shape: field names and JSON types, with lists by their first element."""
    if isinstance(value, dict):
        return {name: kinds(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [kinds(value[0])] if value else []
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) \
        else type(value).__name__


class GoldenTest(unittest.TestCase):
    def test_compile_request_both_ways(self) -> None:
        message = golden("compile")
        encoded = CompileRequest.decode(message).encode()
        for name, value in message.items():
            if name != "id":
                self.assertEqual(encoded[name], value, name)

    def test_constants_become_python_and_come_back(self) -> None:
        for message in golden("compile")["parameters"]:
            parameter = KernelParameter.decode(message)
            self.assertEqual(parameter.encode(), message)
            if parameter.value is not None:
                self.assertEqual(from_python(to_python(parameter.value)), parameter.value)

    def test_non_finite_constants_travel_as_words(self) -> None:
        for word in ("inf", "-inf", "nan"):
            message = {"kind": "float", "value": word}
            self.assertEqual(ConstexprValue.decode(message).encode(), message)

    def test_capture_request(self) -> None:
        message = golden("capture")
        problem = Problem.decode(message)
        for name in ("source", "entry", "operator", "dtype", "m", "n", "k", "timeout_s"):
            self.assertEqual(getattr(problem, name), message[name])
        self.assertEqual(vars(problem.device), message["device"])

    def test_requests_about_brought_problems(self) -> None:
        for name in ("capture_problem", "reference"):
            message = golden(name)
            problem = Brought.decode(message)
            wanted = message["problem"]
            self.assertEqual((problem.source, problem.entry, problem.reference),
                             (message["source"], wanted["entry"], wanted["reference"]))
            for spec, said in zip(problem.tensors, wanted["tensors"], strict=True):
                self.assertEqual({**vars(spec), "shape": list(spec.shape)}, said)
            self.assertEqual(list(problem.arguments), [a["name"] for a in wanted["arguments"]])
            self.assertEqual(problem.arguments["residual"], problem.tensors[2])
            self.assertEqual(
                [problem.arguments[n] for n in ("eps", "groups", "causal", "mode", "bias")],
                [1e-6, 4, True, "fast", None])
            self.assertEqual([spec.name for spec in problem.returned], ["y"])
        self.assertEqual(ReferenceRequest.decode(golden("reference")).device, "cuda:0")

    def test_interpret_request(self) -> None:
        message = golden("interpret")
        request = InterpretRequest.decode(message)
        self.assertEqual(request.seed, int(message["seed"]))
        self.assertEqual(request.max_abs_tolerance, message["max_abs_tolerance"])
        self.assertEqual(request.problem.m, message["m"])

    def test_evaluate_request(self) -> None:
        message = golden("evaluate")
        request = EvaluateRequest.decode(message)
        self.assertEqual((request.source, request.shape, request.timeout_s),
                         (message["source"], message["shape"], message["timeout_s"]))
        self.assertEqual(vars(request.device), message["device"])

    def test_hello(self) -> None:
        message = golden("hello_worker")
        self.assertEqual(set(hello("compile", ("triton",))), set(message))
        self.assertEqual(hello("compile", ())["protocol"], message["protocol"])

    def test_failures_have_the_fields_that_the_engine_reads(self) -> None:
        for name in ("compiled_failed", "captured_failed", "interpreted_failed",
                     "referenced_failed", "evaluated_failed"):
            message = golden(name)
            made = failure(message["outcome"], "X", message["message"], retire=False)
            made |= {"type": message["type"], "id": message["id"]}
            self.assertLessEqual(set(message), set(made), name)

    def test_captured_plan(self) -> None:
        """The recorder's own steps, kernels and buffers have the shape of the golden plan."""
        message = golden("captured")
        plan = PlanRecorder()
        import torch

        for name in ("a", "b", "c"):
            plan.allocate((4, 4), (4, 1), torch.float16, name)
        plan.allocate((8, 4), (4, 1), torch.float16)
        kernel = message["plan"]["kernels"][0]
        for step in message["plan"]["steps"]:
            if step["kind"] == "launch":
                plan.launch(kernel, tuple(step["grid"]), step["arguments"])
            elif step["kind"] == "fill":
                plan.fill(step["buffer"], step["offset"], step["bytes"], bytes(step["pattern"]))
            else:
                plan.copy(step["source"], step["source_offset"], step["target"],
                          step["target_offset"], step["bytes"])
        finished = plan.finish({2: "c"}, ("a", "b", "c"))
        self.assertEqual(finished["steps"], message["plan"]["steps"])
        self.assertEqual(kinds(finished), kinds(message["plan"]))

    def test_version_is_the_project_s(self) -> None:
        text = (ROOT / "CMakeLists.txt").read_text()
        self.assertEqual(re.search(r"project\(croq\s+VERSION\s+([\d.]+)", text)[1], __version__)


if __name__ == "__main__":
    unittest.main()
