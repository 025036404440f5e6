"""The capture mode: plans of honest host functions, refusals of others, and its children."""

from __future__ import annotations

import subprocess
import time
import unittest
from typing import Any

from worker_client import KERNELS, Worker


class CaptureTest(unittest.TestCase):
    worker: Worker
    compiler: Worker

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker, cls.compiler = Worker("capture"), Worker("compile")

    @classmethod
    def tearDownClass(cls) -> None:
        for worker in (cls.worker, cls.compiler):
            worker.__exit__()

    def ask(self, source: str, entry: str = "kernel_fn", **changes: Any) -> dict[str, Any]:
        message = {"type": "capture", "source": str(KERNELS / source), "entry": entry,
                   "operator": "matmul", "dtype": "f16fp32", "m": 512, "n": 256, "k": 384,
                   "timeout_s": 60.0}
        return self.worker.ask({**message, **changes})

    def plan(self, source: str, entry: str = "kernel_fn", **changes: Any) -> dict[str, Any]:
        reply = self.ask(source, entry, **changes)
        self.assertTrue(reply["ok"], reply)
        self.assertEqual(reply["returned"], "c")
        plan = reply["plan"]
        self.check(plan)
        plan["allocated_output"] = reply["allocated_output"]
        return plan

    def check(self, plan: dict[str, Any]) -> None:
        """What the engine checks of every plan."""
        for step in plan["steps"]:
            for name, place, size in (("buffer", "offset", "bytes"),
                                      ("source", "source_offset", "bytes"),
                                      ("target", "target_offset", "bytes")):
                if name in step:
                    self.assertLessEqual(step[place] + step[size],
                                         plan["buffers"][step[name]]["bytes"])
            if step["kind"] == "launch":
                self.assertLess(step["kernel"], len(plan["kernels"]))
                parameters = plan["kernels"][step["kernel"]]["parameters"]
                passed = [p for p in parameters if p["type"] != "constexpr"]
                self.assertEqual(len(passed), len(step["arguments"]))

    def compile(self, source: str, plan: dict[str, Any]) -> list[dict[str, Any]]:
        """Sends every kernel of a plan to a compile worker, as the engine does."""
        replies = []
        for kernel in plan["kernels"]:
            reply = self.compiler.ask({
                "type": "compile", "source": str(KERNELS / source), "target": 90,
                "out": str(self.compiler.path / "out"), **kernel})
            self.assertTrue(reply["ok"], reply)
            replies.append(reply)
        return replies

    def test_pointers(self) -> None:
        plan = self.plan("pointer_matmul.py")
        self.assertEqual([(b["name"], b["bytes"], b["scratch"]) for b in plan["buffers"]],
                         [("a", 512 * 384 * 2, False), ("b", 384 * 256 * 2, False),
                          ("c", 512 * 256 * 2, False)])
        kernel, = plan["kernels"]
        self.assertEqual(kernel["kernel"], "matmul_kernel")
        self.assertEqual(kernel["options"], {"num_warps": 8, "num_stages": 3, "num_ctas": 1})
        step, = plan["steps"]
        self.assertEqual(step["grid"], [8, 1, 1])
        self.assertEqual(step["arguments"][:3], [
            {"kind": "pointer", "buffer": i, "offset": 0} for i in range(3)])
        self.assertEqual([a["integer"] for a in step["arguments"][3:]],
                         [512, 256, 384, 384, 256, 256])
        self.assertEqual(self.compile("pointer_matmul.py", plan)[0]["num_warps"], 8)

    def test_specialises_as_triton_does(self) -> None:
        plan = self.plan("pointer_matmul.py", m=33, n=1, k=48)
        types = {p["name"]: p for p in plan["kernels"][0]["parameters"]}
        self.assertEqual(types["M"], {"name": "M", "type": "i32", "divisible": False})
        self.assertEqual(types["K"], {"name": "K", "type": "i32", "divisible": True})
        self.assertEqual(types["N"]["value"], {"kind": "int", "value": 1})
        self.assertEqual(len(plan["steps"][0]["arguments"]), 6)  # N, stride_b, stride_c are 1

    def test_large_operands_cost_no_memory(self) -> None:
        plan = self.plan("pointer_matmul.py", m=1 << 18, n=1 << 18, k=1 << 14)
        self.assertEqual(plan["buffers"][2]["bytes"], 1 << 37)

    def test_host_descriptors(self) -> None:
        plan = self.plan("descriptor_matmul.py")
        step, = plan["steps"]
        self.assertEqual(step["arguments"][1], {
            "kind": "descriptor", "buffer": 1, "offset": 0, "shape": [384, 256],
            "strides": [256, 1], "nan_padding": False})
        parameters = {p["name"]: p for p in plan["kernels"][0]["parameters"]}
        self.assertEqual(parameters["b_desc"]["type"], "tensordesc<fp16[64, 128]>")
        self.assertEqual(parameters["OUT"]["value"], {"kind": "dtype", "value": "fp16"})
        self.assertEqual(parameters["SCALE"]["value"], {"kind": "float", "value": 1.0})
        self.assertEqual(step["grid"], [4, 2, 1])
        compiled, = self.compile("descriptor_matmul.py", plan)
        self.assertEqual(len(compiled["tensordesc_meta"]), 3)

    def test_device_descriptors_and_warp_specialisation(self) -> None:
        plan = self.plan("persistent_matmul.py")
        step, = plan["steps"]
        self.assertEqual(step["grid"], [8, 1, 1])
        parameters = {p["name"]: p["type"] for p in plan["kernels"][0]["parameters"]}
        self.assertEqual(parameters["stride_a"], "i64")
        compiled, = self.compile("persistent_matmul.py", plan)
        self.assertGreater(compiled["global_scratch_size"], 0)
        self.assertTrue(compiled["warp_specialized"])
        self.assertGreater(compiled["num_warps"], 4)

    def test_the_device_is_the_request_s(self) -> None:
        device = {"name": "X", "compute_capability": 90, "sm_count": 3,
                  "shared_bytes_per_block": 232448, "l2_bytes": 1, "memory_bytes": 1}
        self.assertEqual(self.plan("persistent_matmul.py", device=device)["steps"][0]["grid"],
                         [3, 1, 1])

    def test_split_k(self) -> None:
        plan = self.plan("splitk_matmul.py")
        self.assertEqual(plan["buffers"][3],
                         {"name": "scratch0", "bytes": 512 * 256 * 4, "scratch": True})
        self.assertEqual([step["kind"] for step in plan["steps"]], ["fill", "launch", "launch"])
        self.assertEqual(plan["steps"][0], {"kind": "fill", "buffer": 3, "offset": 0,
                                            "bytes": 512 * 256 * 4, "pattern": [0, 0, 0, 0]})
        names = [p["name"] for p in plan["kernels"][0]["parameters"]]
        self.assertEqual(names[3:8], ["shape.0", "shape.1", "shape.2", "strides.0", "strides.1"])
        self.assertEqual(plan["steps"][1]["arguments"][3]["integer"], 512)
        self.assertEqual(len(self.compile("splitk_matmul.py", plan)), 2)

    def test_copies_and_fills(self) -> None:
        plan = self.plan("host_steps.py", "copies", m=256, k=256, n=256)
        kinds = [step["kind"] for step in plan["steps"]]
        self.assertEqual(kinds.count("copy"), 1 + 1)  # b whole, a[1:]
        half = plan["steps"][0]  # torch does it in one launch, and so does the plan
        self.assertEqual(plan["kernels"][half["kernel"]]["kernel"], "croq:strided_copy")
        self.assertEqual(half["grid"], [32, 1, 1])  # 256 rows of 128, 1024 a program
        clone, move = plan["steps"][1], plan["steps"][2]
        self.assertEqual((clone["source"], clone["bytes"]), (1, 256 * 256 * 2))
        self.assertEqual((move["source"], move["source_offset"], move["target_offset"],
                          move["bytes"]), (0, 512, 512, 255 * 512))
        fill = next(step for step in plan["steps"] if step["kind"] == "fill")
        self.assertEqual((fill["pattern"], fill["bytes"]), ([0x80, 0x3F], 30))  # bf16 1.0

    def test_a_transposed_copy_is_a_launch_of_croqs_own_kernel(self) -> None:
        plan = self.plan("host_steps.py", "transposed_copy", m=512, n=256, k=384)
        copy, launch = plan["steps"]
        self.assertEqual([k["kernel"] for k in plan["kernels"]], ["croq:strided_copy", "touch"])
        buffers = [a["buffer"] for a in copy["arguments"] if a["kind"] == "pointer"]
        self.assertEqual([plan["buffers"][b]["name"] for b in buffers], ["b", "scratch0"])
        self.assertEqual(launch["arguments"][0]["buffer"], buffers[1])
        self.compile("host_steps.py", plan)
        self.assertIn("launched no kernel", self.ask("host_steps.py", "only_copies")["message"])

    def test_own_output_becomes_c(self) -> None:
        plan = self.plan("host_steps.py", "own_output")
        self.assertTrue(plan["allocated_output"])
        self.assertEqual([b["name"] for b in plan["buffers"]], ["a", "b", "c"])
        self.assertEqual(plan["steps"][0]["pattern"], [0, 64])  # 2.0
        self.assertEqual(plan["steps"][1]["arguments"][0]["buffer"], 2)

    def test_unused_scratch_is_left_out(self) -> None:
        plan = self.plan("host_steps.py", "unused_scratch")
        self.assertEqual([b["name"] for b in plan["buffers"]], ["a", "b", "c", "scratch0"])

    def test_heuristics_are_part_of_the_launch(self) -> None:
        plan = self.plan("host_steps.py", "with_heuristics")
        self.assertEqual(plan["kernels"][0]["parameters"][2]["value"],
                         {"kind": "bool", "value": True})
        self.compile("host_steps.py", plan)

    def test_refusals_name_the_deed_and_the_place(self) -> None:
        cases = {
            "matmul": "aten.mm", "operator_matmul": "aten.mm", "swallowed": "aten.mm",
            "reads": "Tensor.item", "reads_list": "Tensor.tolist",
            "converts": "float16 to torch.float32",
            "host_table": "torch.tensor", "no_launch": "launched no kernel",
            "returns_operand": "returned its operand a", "returns_view": "",
            "autotunes": "pin one configuration", "side_stream": "torch.cuda.Stream",
            "raises": "ValueError: on purpose", "bad_option": "num_wraps",
            "leave_politely": "SystemExit"}
        silent = {"no_launch", "returns_operand", "returns_view"}
        for entry, words in cases.items():
            with self.subTest(entry=entry):
                reply = self.ask("host_steps.py", entry, m=512, n=512, k=512)
                self.assertFalse(reply["ok"], reply)
                self.assertEqual(reply["outcome"], "runtime")
                self.assertIn(words, reply["message"])
                if entry not in silent:
                    self.assertRegex(reply["message"], rf"host_steps.py:\d+ in {entry}")

    def test_deaths(self) -> None:
        self.assertIn("SIGABRT", self.ask("host_steps.py", "abort")["message"])
        self.assertIn("exit code 0", self.ask("host_steps.py", "leave")["message"])
        self.assertTrue(self.ask("pointer_matmul.py")["ok"])

    def test_the_deadline_ends_the_whole_group(self) -> None:
        reply = self.ask("host_steps.py", "hang", timeout_s=2)
        self.assertEqual(reply["outcome"], "timeout")
        for _ in range(100):  # the killed processes need a moment to be gone
            listed = subprocess.run(["ps", "-eo", "ppid,pgid,stat,args"], capture_output=True,
                                    text=True, check=True).stdout
            alive = [line for line in listed.splitlines() if "croq_worker capture" in line
                     and " Z" not in line and line.split()[1] != str(self.worker.process.pid)
                     and self.worker.process.pid in (int(line.split()[0]), -1)]
            if not alive:
                break
            time.sleep(0.05)
        self.assertEqual(alive, [])

    def test_files_that_are_no_candidates(self) -> None:
        broken = self.worker.path / "broken.py"
        broken.write_text("def kernel_fn(a, b:\n    pass\n")
        reply = self.ask(str(broken))
        self.assertEqual((reply["outcome"], reply["error"]), ("compile", "SyntaxError"))
        self.assertIn("broken.py:1", reply["message"])
        self.assertIn("no function 'absent'", self.ask("pointer_matmul.py", "absent")["message"])
        self.assertIn("cannot import", self.ask("nowhere.py")["message"])
        self.assertEqual(self.ask("pointer_matmul.py", operator="conv")["type"], "error")
        self.assertEqual(self.ask("pointer_matmul.py", dtype="f8")["type"], "error")

    def test_kernels_that_are_not_the_file_s_own(self) -> None:
        path = self.worker.path / "shadow.py"
        text = (KERNELS / "host_steps.py").read_text()
        path.write_text(text + "\n\nfirst = touch\n\n\n@triton.jit\ndef touch(x_ptr, n, scale):\n"
                        "    pass\n\n\ndef kernel_fn(a, b, c):\n    first[(1,)](c, 1, 1.0)\n"
                        "    return c\n")
        self.assertIn("is not the top-level function 'touch'", self.ask(str(path))["message"])

    def test_matmul_nt(self) -> None:
        plan = self.plan("host_steps.py", "with_heuristics", operator="matmul_nt")
        self.assertEqual(plan["buffers"][1]["bytes"], 256 * 384 * 2)
        # own_output takes b's columns for N: with b [N, K] that is K.
        self.assertIn("shape (512, 384)",
                      self.ask("host_steps.py", "own_output", operator="matmul_nt")["message"])


if __name__ == "__main__":
    unittest.main()
