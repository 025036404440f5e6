"""What the compile worker keeps of a file, and that it runs none of the host code."""

from __future__ import annotations

import tempfile
import textwrap
import unittest
from pathlib import Path

from worker_client import KERNELS

from croq_worker import kernel_source

HEAD = "import os, triton, triton.language as tl\nfrom triton import jit as J\n"


class KernelSourceTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def load(self, source: str) -> kernel_source.KernelModule:
        path = self.folder / "k.py"
        path.write_text(HEAD + textwrap.dedent(source))
        self.addCleanup(kernel_source.forget, str(path))
        return kernel_source.load(str(path))

    def refused(self, source: str, words: str) -> None:
        with self.assertRaisesRegex(kernel_source.KernelSourceError, words):
            self.load(source).kernel("k")

    def test_keeps_the_lines_of_the_file(self) -> None:
        path = str(KERNELS / "pointer_matmul.py")
        kernel = kernel_source.load(path).kernel("matmul_kernel")
        lines = Path(path).read_text().splitlines()
        self.assertEqual(lines[kernel.starting_line_number - 1], "@triton.jit")
        self.assertEqual(kernel.fn.__code__.co_filename, path)
        self.assertEqual(kernel.arg_names[:2], ["a_ptr", "b_ptr"])

    def test_runs_no_host_code(self) -> None:
        marker = self.folder / "ran"
        run = f"os.mkdir({str(marker)!r})"
        module = self.load(f"""
            from os import mkdir
            RUN = {run}
            def host(x={run}): pass
            @triton.jit
            def k(x: {run}, *rest: {run}) -> {run}:
                pass
            @triton.jit(launch_metadata={run}, repr=lambda s: "x", noinline=True)
            def with_arguments(x):
                pass
            @triton.autotune(configs=[{run}], key=[])
            @triton.jit
            def tuned(x):
                pass
            class C:
                {run}
            if True:
                {run}
            """)
        self.assertFalse(marker.exists())
        for name in ("k", "with_arguments", "tuned"):
            module.kernel(name)
        self.assertTrue(module.kernel("with_arguments").noinline)
        for name in ("os", "host", "RUN", "C", "mkdir"):
            self.assertNotIn(name, module.namespace)

    def test_keeps_constants(self) -> None:
        module = self.load("""
            A = 1
            B = -2.5
            C = tl.constexpr(3)
            D: tl.constexpr = 4
            E = tl.float16
            F = (1, "x", A)
            G = H = None
            NOT = A + 1
            @J
            def k(x, n: tl.constexpr = A):
                pass
            """)
        self.assertEqual([module.namespace[name] for name in "ABDFGH"],
                         [1, -2.5, 4, (1, "x", 1), None, None])
        self.assertEqual(module.namespace["C"].value, 3)
        self.assertIn("D", module.namespace["__annotations__"])
        self.assertNotIn("NOT", module.namespace)
        self.assertTrue(module.kernel("k").params[1].is_constexpr)

    def test_aliases(self) -> None:
        for head, decorator in (("import triton as t", "t.jit"), ("from triton import jit", "jit"),
                                ("from triton.runtime.jit import jit as z", None)):
            source = f"{head}\n@{decorator or 'z'}\ndef k(x): pass\n"
            with self.subTest(head=head):
                if decorator:
                    self.load(source).kernel("k")
                else:
                    self.refused(source, "decorator 'z'")

    def test_says_why_a_function_is_not_there(self) -> None:
        self.refused("@os.path.join\n@triton.jit\ndef k(x): pass\n", "decorator 'os.path.join'")
        self.refused("@triton.jit\ndef k(x=os.getcwd()): pass\n", "default value .*line 4")
        self.refused("@triton.jit\ndef other(x): pass\n", "there are: other")
        self.refused("def k(:\n", "k.py:3:")

    def test_jit_bodies_stay_in_the_language(self) -> None:
        bodies = {
            "tl.core.inspect.os.system('x')": "leaves triton.language",
            "triton.runtime.driver": "leaves triton.language",
            "triton.language.core.builtins": "leaves triton.language|module used as a value",
            "y = tl": "module used as a value",
            "y = tl.math": "module used as a value",
            "getattr(tl, 'core')": "'getattr' is not for kernels",
            "tl.load.__globals__": "'__globals__' is not for kernels",
            "x.__class__": "'__class__' is not for kernels",
            "import os": "Import is not for kernels",
            "__import__('os')": "'__import__' is not for kernels",
        }
        for body, words in bodies.items():
            with self.subTest(body=body):
                self.refused(f"@triton.jit\ndef k(x):\n    {body}\n", words)
        self.load("""
            from triton.language.extra import libdevice
            @triton.jit
            def k(x, n: tl.constexpr):
                y = tl.math.exp(tl.load(x)) + libdevice.erf(1.0) + tl.extra.cuda.libdevice.erf(2.)
                z = triton.language.zeros((n,), tl.float32).to(x.dtype.element_ty)
                tl.static_assert(triton.cdiv(n, 2) > 0)
            """).kernel("k")

    def test_a_changed_file_of_the_same_name_is_read_anew(self) -> None:
        first = self.load("@triton.jit\ndef k(x):\n    tl.store(x, 1)\n").kernel("k")
        second = self.load("\n\n@triton.jit\ndef k(x):\n    tl.store(x, 2)\n").kernel("k")
        self.assertIn("1", first.src)
        self.assertIn("2", second.src)
        self.assertEqual(second.starting_line_number, first.starting_line_number + 2)


if __name__ == "__main__":
    unittest.main()
