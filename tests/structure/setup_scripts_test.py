"""quickstart.sh and test.sh, run in a copy of the tree with stand-ins for apt, pip and the build."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tree

STAND_IN = """#!/bin/bash
echo "$(basename "$0") $*" >>"$CALLS"
"""

DPKG = STAND_IN + """for package in "${@:3}"; do
  [[ $package != "${MISSING:-}" || -e $INSTALLED ]] && echo "$package installed"
done
"""

APT = STAND_IN + """[[ -z ${APT_FAILS:-} ]] || { echo "E: no route"; exit 100; }
[[ $1 != install ]] || touch "$INSTALLED"
"""

# `python -m pip` is recorded; the look at the installed packages says what PINNED tells it to.
PYTHON = STAND_IN + """if [[ $1 == - ]]; then cat >/dev/null; exit "${PINNED:-0}"; fi
"""

NINJA = STAND_IN + """[[ -z ${BUILD_FAILS:-} ]] || { echo "x.cc:1: error: no"; exit 1; }
"""

CMAKE = STAND_IN + """mkdir -p "build/$2" && touch "build/$2/build.ninja"
"""


class SetupScripts(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="croq-setup-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = self.folder / "croq"
        (self.root / "scripts").mkdir(parents=True)
        for name in ("quickstart.sh", "test.sh", "scripts/setup.sh"):
            shutil.copy2(tree.ROOT / name, self.root / name)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for name, text in {"dpkg-query": DPKG, "apt-get": APT, "sudo": STAND_IN + '"$@"\n',
                           "cmake": CMAKE, "ninja": NINJA, "ctest": STAND_IN}.items():
            self.program(self.bin / name, text)
        self.program(self.root / ".venv/bin/python", PYTHON)
        self.program(self.root / "build/release/croq", STAND_IN)
        self.calls = self.folder / "calls"

    def program(self, path: pathlib.Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run_script(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        self.calls.write_text("", encoding="utf-8")
        kept = {name: value for name, value in os.environ.items() if name != "CROQ_PYTHON"}
        return subprocess.run(
            [str(self.root / command[0]), *command[1:]], capture_output=True, text=True,
            check=False, cwd=self.folder, stdin=subprocess.DEVNULL,
            env=kept | {"PATH": f"{self.bin}:/usr/bin:/bin", "CALLS": str(self.calls),
                        "INSTALLED": str(self.folder / "installed")} | environment)

    def called(self, program: str) -> list[str]:
        return [line for line in self.calls.read_text(encoding="utf-8").splitlines()
                if line.split(" ", 1)[0] == program]

    def test_first_run_configures_builds_and_tunes(self) -> None:
        done = self.run_script("quickstart.sh")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.called("cmake"), ["cmake --preset release"])
        self.assertEqual(len(self.called("croq")), 1)
        self.assertRegex(self.called("croq")[0],
                         r"^croq tune matmul_f16fp32_4096x4096x4096 --device auto --time \d+s$")

    def test_second_run_calls_neither_apt_nor_pip_nor_cmake(self) -> None:
        self.run_script("quickstart.sh")
        done = self.run_script("quickstart.sh", "matmul_f32_1x2x3", "--trials", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.called("croq"), ["croq tune matmul_f32_1x2x3 --trials 3"])
        for program in ("apt-get", "cmake", "python"):
            self.assertEqual(self.called(program), [])

    def test_build_only_stops_before_the_job(self) -> None:
        done = self.run_script("quickstart.sh", "--build-only")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.called("croq"), [])
        self.assertIn(str(self.root / "build/release/croq"), done.stderr)

    def test_installs_only_what_is_missing(self) -> None:
        done = self.run_script("quickstart.sh", "--build-only", MISSING="libcli11-dev")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("installing Debian packages: libcli11-dev\n", done.stderr)
        self.assertEqual(self.called("apt-get"), [
            "apt-get update", "apt-get install -y --no-install-recommends libcli11-dev"])

    def test_a_failing_apt_says_what_to_do_and_where_the_log_is(self) -> None:
        done = self.run_script("quickstart.sh", MISSING="libcli11-dev", APT_FAILS="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("E: no route", done.stderr)
        self.assertIn("Check the network", done.stderr)
        self.assertIn(str(self.root / "build/setup.log"), done.stderr)
        self.assertEqual(self.called("croq"), [])

    def test_a_failing_build_shows_its_end_and_starts_nothing(self) -> None:
        done = self.run_script("quickstart.sh", BUILD_FAILS="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("x.cc:1: error: no", done.stderr)
        self.assertIn("remove it and start again", done.stderr)
        self.assertEqual(self.called("croq"), [])

    def test_wrong_packages_in_the_environment_are_replaced_by_the_pinned(self) -> None:
        done = self.run_script("quickstart.sh", "--build-only", PINNED="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        pip = [line for line in self.called("python") if " pip " in line]
        self.assertEqual(len(pip), 2)
        self.assertRegex(pip[0], r"torch==\S+ numpy<\S+$")
        self.assertRegex(pip[1], r"--no-deps triton==\S+$")

    def test_another_interpreter_needs_no_environment(self) -> None:
        shutil.rmtree(self.root / ".venv")
        self.program(self.folder / "python", PYTHON)
        done = self.run_script("quickstart.sh", "--build-only",
                               CROQ_PYTHON=str(self.folder / "python"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.root / ".venv").exists())
        wrong = self.run_script("quickstart.sh", CROQ_PYTHON="/no/such/python")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("CROQ_PYTHON is '/no/such/python'", wrong.stderr)

    def test_the_tests_run_after_the_same_set_up(self) -> None:
        done = self.run_script("test.sh", MISSING="ninja-build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.called("apt-get")), 2)
        self.assertRegex(self.called("ctest")[0], r"^ctest --preset release --parallel \d+$")

    def test_help_sets_nothing_up(self) -> None:
        for script in ("quickstart.sh", "test.sh"):
            done = self.run_script(script, "--help")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"./{script}", done.stdout)
            self.assertEqual(self.calls.read_text(encoding="utf-8"), "")

    @unittest.skipUnless(shutil.which("shellcheck"), "no shellcheck")
    def test_shellcheck_has_no_complaint(self) -> None:
        scripts = [str(name) for name in tree.files()
                   if (name.suffix == ".sh" and "golden" not in name.parts)
                   or name.as_posix() == ".ci/run"]
        done = subprocess.run(["shellcheck", "-x", *scripts], cwd=tree.ROOT, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
