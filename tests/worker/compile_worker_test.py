"""The compile mode: real compiles to sm_90a cubins, errors, and what stays behind."""

from __future__ import annotations

import re
import unittest
from pathlib import Path
from typing import Any

from worker_client import KERNELS, Worker, constant, parameter

BLOCKS = {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32, "GROUP_M": 8}


def pointer_parameters(**changes: Any) -> list[dict[str, Any]]:
    return ([parameter(name, "*fp16") for name in ("a_ptr", "b_ptr", "c_ptr")]
            + [parameter(name, "i32") for name in ("M", "N", "K", "stride_a", "stride_b",
                                                   "stride_c")]
            + [constant(name, value) for name, value in {**BLOCKS, **changes}.items()])


class CompileWorkerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = cls.enterClassContext(Worker("compile")) \
            if hasattr(cls, "enterClassContext") else Worker("compile").__enter__()

    def ask(self, **changes: Any) -> dict[str, Any]:
        message = {"type": "compile", "source": str(KERNELS / "pointer_matmul.py"),
                   "kernel": "matmul_kernel", "parameters": pointer_parameters(),
                   "options": {"num_warps": 4, "num_stages": 3, "num_ctas": 1}, "target": 90,
                   "out": str(self.worker.path / "out")}
        return self.worker.ask({**message, **changes})

    def failed(self, words: str, error: str, retire: bool = False, **changes: Any) -> str:
        reply = self.ask(**changes)
        self.assertFalse(reply["ok"], reply)
        self.assertEqual((reply["type"], reply["outcome"], reply["error"], reply["retire"]),
                         ("compiled", "compile", error, retire), reply)
        self.assertRegex(reply["message"], words)
        self.assertLessEqual(len(reply["message"]), 2000)
        return reply["message"]

    def source(self, body: str) -> str:
        path = self.worker.path / "k.py"
        path.write_text("import triton\nimport triton.language as tl\n\n\n" + body)
        return str(path)

    def test_compiles_to_a_cubin(self) -> None:
        reply = self.ask()
        self.assertTrue(reply["ok"], reply)
        self.assertEqual(reply["entry"], "matmul_kernel")
        self.assertEqual((reply["num_warps"], reply["num_ctas"]), (4, 1))
        self.assertGreater(reply["shared"], 0)
        self.assertGreater(reply["compile_ms"], 0)
        self.assertIn(reply["scratch_parameters"], (1, 2))
        self.assertEqual(reply["tensordesc_meta"], [])
        self.assertFalse(reply["warp_specialized"] or reply["wgmma_serialized"])
        cubin = Path(reply["cubin"]).read_bytes()
        self.assertEqual(cubin[:4], b"\x7fELF")
        self.assertIn(b".text.matmul_kernel", cubin)
        self.assertEqual(Path(reply["cubin"]).parent, self.worker.path / "out")
        self.assertFalse(list((self.worker.path / "out").glob(".*")), "temporary files stayed")
        self.assertIn(b"pointer_matmul.py", cubin)
        self.assertEqual(self.ask()["cubin"], reply["cubin"], "compiles must be reproducible")

    def test_leaves_no_cache(self) -> None:
        self.assertTrue(self.ask()["ok"])
        files = [path for path in (self.worker.path / "cache").rglob("*") if path.is_file()]
        self.assertEqual(files, [])

    def test_without_line_tables_the_file_s_name_and_time_don_t_matter(self) -> None:
        text = (KERNELS / "pointer_matmul.py").read_text()
        cubins = []
        for name in ("one.py", "another.py"):
            path = self.worker.path / name
            path.write_text(text)
            reply = self.ask(source=str(path), line_info=False)
            self.assertTrue(reply["ok"], reply)
            cubins.append(reply["cubin"])
        self.assertEqual(cubins[0], cubins[1])

    def test_constants_change_the_code(self) -> None:
        wide = self.ask(parameters=pointer_parameters(BLOCK_M=64))
        self.assertGreater(wide["shared"], self.ask()["shared"])

    def test_host_descriptors(self) -> None:
        parameters = [parameter("a_desc", "tensordesc<fp16[64, 64]>", False),
                      parameter("b_desc", "tensordesc<fp16[64, 64]>", False),
                      parameter("c_desc", "tensordesc<fp16[64, 64]>", False),
                      parameter("K", "i32"), constant("BLOCK_M", 64), constant("BLOCK_N", 64),
                      constant("BLOCK_K", 64), constant("OUT", "fp16", "dtype")]
        reply = self.ask(source=str(KERNELS / "descriptor_matmul.py"), parameters=parameters)
        self.assertTrue(reply["ok"], reply)
        self.assertEqual(len(reply["tensordesc_meta"]), 3)
        for meta in reply["tensordesc_meta"]:
            self.assertEqual(set(meta), {"swizzle", "elem_size", "elem_type", "block_size"})
            self.assertEqual(meta["elem_size"], 2)

    def test_front_end_errors_name_the_line_of_the_file(self) -> None:
        text = (KERNELS / "pointer_matmul.py").read_text().splitlines()
        message = self.failed("power of 2", "CompilationError",
                              parameters=pointer_parameters(BLOCK_M=100))
        line = int(re.search(r"pointer_matmul.py:(\d+):", message)[1])
        self.assertIn("tl.arange(0, BLOCK_M)", text[line - 1])

    def test_errors_inside_a_called_function(self) -> None:
        source = self.source("@triton.jit\ndef inner(x):\n    return x + nothing\n\n\n"
                             "@triton.jit\ndef k(x):\n    tl.store(x, inner(1))\n")
        message = self.failed("nothing is not defined", "CompilationError", source=source,
                              kernel="k", parameters=[parameter("x", "*fp16")])
        self.assertIn("k.py:7:", message)
        self.assertIn("'inner'", message)

    def test_static_assertions(self) -> None:
        source = self.source("@triton.jit\ndef k(x):\n    tl.static_assert(False, 'no such')\n")
        self.failed("k.py:7:.*no such", "CompileTimeAssertionFailure", source=source, kernel="k",
                    parameters=[parameter("x", "*fp16")])

    def test_ptxas_errors(self) -> None:
        message = self.failed("[Rr]egister", "PTXASError",
                              options={"num_warps": 4, "maxnreg": 24},
                              parameters=pointer_parameters(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64))
        self.assertNotIn("visible .entry", message)
        self.assertNotIn("visible .entry", self.worker.log())
        self.assertTrue(self.ask()["ok"])

    def test_shared_memory_over_the_limit(self) -> None:
        self.failed("shared memory, Required: \\d+, Hardware limit: 64", "OutOfResources",
                    shared_limit=64)
        self.assertTrue(self.ask(shared_limit=232448)["ok"])

    def test_requests_that_do_not_fit(self) -> None:
        self.failed("unknown compile option 'num_wraps'", "OptionError",
                    options={"num_wraps": 4})
        self.failed("power of 2", "OptionError", options={"num_warps": 3})
        self.failed("unknown X", "SignatureMismatch", parameters=pointer_parameters(X=1))
        self.failed("missing a_ptr", "SignatureMismatch", parameters=pointer_parameters()[1:])
        self.failed("is a tl.constexpr", "SignatureMismatch",
                    parameters=pointer_parameters()[:-1] + [parameter("GROUP_M", "i32")])
        self.failed("no @triton.jit function 'other'", "KernelSourceError", kernel="other")
        self.failed("cannot read", "KernelSourceError", source="/nowhere/x.py")

    def test_wrong_types_are_the_candidate_s_fault(self) -> None:
        reply = self.ask(parameters=[parameter("a_ptr", "*nonsense"), *pointer_parameters()[1:]])
        self.assertFalse(reply["ok"])

    def test_failed_passes_say_why_and_retire_the_worker(self) -> None:
        """Skips where a Triton of another release has learnt to compile these."""
        descriptors = [parameter("a_desc", "tensordesc<fp16[128, 64]>", False),
                       parameter("b_desc", "tensordesc<fp16[64, 128]>", False),
                       parameter("c_desc", "tensordesc<fp16[128, 128]>", False),
                       *(parameter(name, "i32") for name in "MNK"), constant("BLOCK_M", 128),
                       constant("BLOCK_N", 128), constant("BLOCK_K", 64)]
        reply = self.ask(source=str(KERNELS / "compiler_trouble.py"), kernel="host_descriptors",
                         parameters=descriptors)
        if reply["ok"]:
            self.skipTest(f"Triton {self.worker.hello['triton']} compiles it")
        self.assertTrue(reply["retire"])
        self.assertIn("PassManager::run failed", reply["message"])
        self.assertRegex(self.worker.log(), r"compiler_trouble.py:\d+:\d+: error: ")

    def test_starts_afresh_when_it_has_grown(self) -> None:
        with Worker("compile", "--memory-limit-mb", "1") as worker:
            pid = worker.process.pid
            message = {"type": "compile", "source": str(KERNELS / "pointer_matmul.py"),
                       "kernel": "matmul_kernel", "parameters": pointer_parameters(),
                       "options": {}, "target": 90, "out": str(worker.path / "out")}
            for _ in range(2):
                self.assertTrue(worker.ask(message)["ok"])
            self.assertEqual(worker.process.pid, pid)
            self.assertIn("starting afresh", worker.log())
            self.assertEqual(worker.stop(), 0)
            self.assertEqual(list((worker.path / "cache").iterdir()), [])

    @classmethod
    def tearDownClass(cls) -> None:
        if not hasattr(cls, "enterClassContext"):
            cls.worker.__exit__()


if __name__ == "__main__":
    unittest.main()
