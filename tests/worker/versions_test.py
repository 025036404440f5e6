"""What the versions mode finds, without importing torch."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from worker_client import PACKAGE_PARENT

from croq_worker import versions


class VersionsTest(unittest.TestCase):
    def test_prints_one_line(self) -> None:
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "croq_worker", "versions"], check=True,
            capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=str(PACKAGE_PARENT)))
        report = json.loads(done.stdout)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertEqual(report["python"], platform.python_version())
        self.assertEqual(set(report), {"type", "python", "triton", "torch", "numpy", "cuda",
                                       "cublas", "cublas_lt"})
        imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
        self.assertNotIn("torch", imported)
        self.assertNotIn("triton", imported)

    def site(self, cuda: str | None, libraries: list[str]) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        (root / "torch").mkdir()
        (root / "torch" / "version.py").write_text(
            f"__version__ = '2.9.0'\ncuda: Optional[str] = {cuda!r}\nhip: Optional[str] = None\n")
        for name in libraries:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        return root

    def test_finds_the_library_of_torch_s_cuda(self) -> None:
        root = self.site("12.8", ["nvidia/cublas/lib/libcublas.so.12",
                                  "nvidia/cublas/lib/libcublasLt.so.12",
                                  "nvidia/cu13/lib/libcublas.so.13"])
        torch = root / "torch"
        self.assertEqual(versions.torch_cuda_version(torch), "12.8")
        self.assertEqual(versions.find_library("cublas", "12.8", torch),
                         str(root / "nvidia/cublas/lib/libcublas.so.12"))
        self.assertEqual(versions.find_library("cublasLt", "12.8", torch),
                         str(root / "nvidia/cublas/lib/libcublasLt.so.12"))
        self.assertEqual(versions.find_library("cublas", "13.0", torch),
                         str(root / "nvidia/cu13/lib/libcublas.so.13"))

    def test_torch_s_own_folder(self) -> None:
        root = self.site("12.6", ["torch/lib/libcublas.so.12"])
        self.assertEqual(versions.find_library("cublas", "12.6", root / "torch"),
                         str(root / "torch/lib/libcublas.so.12"))

    def test_absent(self) -> None:
        root = self.site(None, [])
        self.assertIsNone(versions.torch_cuda_version(root / "torch"))
        self.assertIsNone(versions.torch_cuda_version(None))
        self.assertIsNone(versions.find_library("no_such_library", None, root / "torch"))
        self.assertIsNone(versions.installed_version("no-such-package"))

    def test_release(self) -> None:
        self.assertEqual(versions.release("3.6.0+git1"), (3, 6))
        self.assertEqual(versions.release("2.13.0a0"), (2, 13))
        self.assertEqual(versions.release(None), (0, 0))


if __name__ == "__main__":
    unittest.main()
