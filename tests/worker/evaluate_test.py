"""Configurations that exist at run time only: "evaluate" requests."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

from worker_client import Worker

HEAD = "import torch, triton, triton.language as tl\n"
KERNEL = """
@triton.jit
def fill(x_ptr, M, N, H: tl.constexpr, BM: tl.constexpr):
    tl.store(x_ptr, BM)
"""
TWO = '[triton.Config({"BM": 64}), triton.Config({"BM": 128}, num_warps=8)]'


class EvaluateTest(unittest.TestCase):
    worker: Worker

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker("capture")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.__exit__()

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def ask(self, source: str, timeout_s: float = 60.0, **shape: int) -> dict[str, Any]:
        path = self.folder / "x.py"
        path.write_text(HEAD + source)
        return self.worker.ask({"type": "evaluate", "source": str(path), "shape": shape,
                                "timeout_s": timeout_s})

    def kernels(self, source: str, **shape: int) -> dict[str, dict[str, Any]]:
        reply = self.ask(source, **shape)
        self.assertTrue(reply["ok"], reply)
        return {kernel["name"]: kernel for kernel in reply["kernels"]}

    def pruned(self, pruner: str, arguments: str = '"early_config_prune": p',
               **shape: int) -> dict[str, Any]:
        source = f"{pruner}\n{KERNEL}k = triton.autotune({TWO}, ['M'], " \
                 f"prune_configs_by={{{arguments}}})(fill)\n"
        return self.kernels(source, **shape)["k"]

    def test_configs_that_code_makes(self) -> None:
        source = """
def configs():
    out = []
    for w in (1, 2):
        if torch.cuda.get_device_properties(0).multi_processor_count == 132:
            out.append(triton.Config({"BM": 2 ** w, "T": tl.float16, "B": True, "S": "x"},
                                     num_warps=w, pre_hook=lambda a: None))
    return out
@triton.autotune(configs=configs(), key=["M"])
""" + KERNEL
        (kernel,) = self.kernels(source).values()
        self.assertEqual((kernel["name"], kernel["function"]), ("fill", "fill"))
        self.assertEqual(len(kernel["configs"]), 2)
        first = kernel["configs"][0]
        self.assertEqual(first["kwargs"]["BM"], {"value": 2})
        self.assertEqual(first["kwargs"]["B"], {"value": True})
        self.assertIn("text", first["kwargs"]["T"])
        self.assertEqual(first["options"]["num_warps"], 1)
        self.assertTrue(first["pre_hook"])
        self.assertFalse(kernel["prunes"])

    def test_kernels_in_classes_tables_and_under_other_decorators(self) -> None:
        source = KERNEL + f"""
C = {TWO}
tuned = triton.autotune(C, ["M"])
table = {{"a": tuned(fill), "b": [tuned(fill)]}}
same = table["a"]
class Op:
    @staticmethod
    @triton.heuristics({{"H": lambda a: 1}})
    @triton.autotune(C, ["M"])
    @triton.jit
    def k(x, M, H: tl.constexpr, BM: tl.constexpr): pass
"""
        self.assertEqual(list(self.kernels(source)), ["table['a']", "table['b'][0]", "Op.k"])

    def test_launches_at_import_do_nothing(self) -> None:
        source = KERNEL + f"""
k = triton.autotune({TWO}, ["M"])(fill)
x = torch.ones(4, device="cuda")
k[lambda meta: (meta["BM"],)](x, 4, 4, H=1)
fill[(1,)](x, 4, 4, H=1, BM=2)
assert x.sum().item() == 4
"""
        self.assertEqual(len(self.kernels(source)["k"]["configs"]), 2)

    def test_a_pruner_that_returns_new_configs(self) -> None:
        kernel = self.pruned("""
def p(configs, named_args, **kw):
    assert named_args["x_ptr"].element_size() == 2
    return [triton.Config({"BM": named_args["M"] // kw["H"]})]
""", M=512, H=4)
        self.assertTrue(kernel["prunes"])
        self.assertEqual([c["kwargs"]["BM"]["value"] for c in kernel["pruned"]], [128])
        self.assertEqual(len(kernel["configs"]), 2)

    def test_pruners_that_go_wrong(self) -> None:
        def problem(pruner: str, arguments: str = '"early_config_prune": p', **shape: int) -> str:
            return self.pruned(pruner, arguments, **(shape or {"M": 256, "N": 64}))["problem"]
        empty = "def p(configs, named_args, **kw): return []"
        self.assertEqual(problem(empty), "pruner removed all 2 configs at M=256, N=64")
        wrong = "def p(configs, named_args, **kw): return configs if named_args['H'] else []"
        self.assertIn("a bug of its own: KeyError: 'H'", problem(wrong))
        self.assertIn("x.py:2 in p", problem(wrong))
        self.assertIn("H is a constexpr", problem(wrong, M=1, H=4))
        self.assertIn("add N=...", problem("def p(c, n, **kw): return c if n['N'] else c", M=1))
        self.assertIn("TypeError", problem("def p(configs): return configs"))
        for bad in ("0", "-1", "1.5", "float('nan')", "True"):
            self.assertIn("top_k is", problem("", f'"perf_model": lambda **k: 1.0, "top_k": {bad}'))

    def test_top_k_with_a_model(self) -> None:
        kernel = self.pruned("", '"perf_model": lambda BM, **k: -BM, "top_k": 1', M=4)
        self.assertEqual([c["kwargs"]["BM"]["value"] for c in kernel["pruned"]], [128])

    def test_a_file_that_cannot_be_imported(self) -> None:
        for source, words in (("import no_such_package", "No module named 'no_such_package'"),
                              ("raise SystemExit(3)", "SystemExit: 3"),
                              ("import os; os._exit(4)", "exit code 4"),
                              ("1 / 0", "x.py:2 in <module>")):
            with self.subTest(source=source):
                reply = self.ask(source)
                self.assertFalse(reply["ok"])
                self.assertIn(words, reply["message"])

    def test_what_an_exception_says_does_not_steer_a_terminal(self) -> None:
        for source, words in (("raise ValueError('\\x1b[2Jgone\\x07')", r"ValueError: \x1b[2Jgone\x07 ("),
                              ("raise KeyboardInterrupt", "failed: KeyboardInterrupt ("),
                              ("raise MemoryError", "failed: MemoryError (")):
            with self.subTest(source=source):
                self.assertIn(words, self.ask(source)["message"])

    def test_an_import_that_takes_all_memory(self) -> None:
        reply = self.ask("data = bytearray(64 << 30)")
        self.assertIn("MemoryError", reply["message"])
        self.assertIn("x.py:2 in <module>", reply["message"])

    def test_an_import_that_never_ends(self) -> None:
        reply = self.ask("while True: pass", timeout_s=1.0)
        self.assertEqual(reply["outcome"], "timeout")

    def test_there_is_no_network(self) -> None:
        reply = self.ask("import socket, os\n"
                         "if os.environ.get('CROQ_TEST_HAS_NAMESPACES', '1'):\n"
                         "    names = [n for _, n in socket.if_nameindex()]\n"
                         "    raise RuntimeError('interfaces ' + ' '.join(names))\n")
        if "eth" in reply["message"] or "ens" in reply["message"]:
            self.skipTest("this system has no namespaces for us")
        self.assertRegex(reply["message"], r"interfaces (lo)? ?\(")


if __name__ == "__main__":
    unittest.main()
