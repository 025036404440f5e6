"""An installed croq can be moved anywhere and needs nothing but glibc and a Python with Triton."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("CROQ_BUILD_DIR", "")
PROGRAMS = ("bin/croq", "libexec/croq/croq-runner", "libexec/croq/croq-supervisor")
GLIBC = re.compile(r"(linux-vdso|ld-linux-x86-64|libc|libm|libdl|libpthread|librt)\.so")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/",
                          stdin=subprocess.DEVNULL)


@unittest.skipUnless(BUILD, "CROQ_BUILD_DIR names no build folder")
class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="croq-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.done = run("cmake", "--install", BUILD, "--prefix", str(cls.folder / "first"))
        if cls.done.returncode == 0:
            (cls.folder / "first").rename(cls.folder / "moved")

    def setUp(self) -> None:
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.prefix = self.folder / "moved"

    def test_holds_what_croq_needs_and_no_more(self) -> None:
        for name in (*PROGRAMS, "share/croq/contracts/triton.toml",
                     "share/croq/python/croq_worker/__main__.py",
                     "share/croq/python/operators/matmul/tiled.py.in"):
            self.assertTrue((self.prefix / name).is_file(), name)
        left = [path for path in self.prefix.rglob("*") if "__pycache__" in path.parts]
        self.assertEqual(left, [])

    def test_programs_need_glibc_alone(self) -> None:
        for program in PROGRAMS:
            done = run("ldd", str(self.prefix / program))
            self.assertEqual(done.returncode, 0, done.stderr)
            other = [line.strip() for line in done.stdout.splitlines() if not GLIBC.search(line)]
            self.assertEqual(other, [], program)

    def test_runs_from_where_it_was_moved(self) -> None:
        done = run(str(self.prefix / "bin/croq"), "contract", "show", "triton")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("triton", done.stdout)

    def test_a_part_of_it_says_so(self) -> None:
        alone = self.folder / "alone"
        alone.mkdir()
        shutil.copy2(self.prefix / "bin/croq", alone / "croq")
        done = run(str(alone / "croq"), "contract", "show", "triton")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not installed whole", done.stderr)


if __name__ == "__main__":
    unittest.main()
