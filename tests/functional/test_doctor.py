"""`croq doctor`."""

from __future__ import annotations

import json
import unittest
from typing import Any

from croq_binary import PYTHON, CroqTest, Ran, croq

#: A Python of the tests' own: says what `python -m croq_worker versions` would.
FAKE = """case "$*" in
  *versions*) echo '{versions}' ;;
  *"import triton"*) echo 0.0 ;;
  *version_info*) echo python 3 11 ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac"""


class Doctor(CroqTest):
    def doctor(self, *arguments: str, env: dict[str, str | None] | None = None) -> Ran:
        return croq("doctor", *arguments, "--out", str(self.scratch), env=env)

    def checks(self, ran: Ran) -> dict[str, dict[str, Any]]:
        return {check["id"]: check for check in json.loads(ran.out)["checks"]}

    def with_versions(self, **versions: str | None) -> dict[str, dict[str, Any]]:
        """The checks with an interpreter that has these versions."""
        report = {"type": "versions", "python": "3.11.2", "triton": "3.6.0", "torch": "2.13.0",
                  "numpy": "2.3.5", "cuda": None, "cublas": None, "cublas_lt": None} | versions
        fake = self.program("bin/python3", FAKE.replace("{versions}", json.dumps(report)))
        return self.checks(self.doctor("--device", "offline:sm90", "--json",
                                       env={"CROQ_PYTHON": str(fake)}))

    @unittest.skipUnless(PYTHON.exists(), "no interpreter with Triton")
    def test_offline_works_here(self) -> None:
        ran = self.doctor("--device", "offline:sm90")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("Tuning on offline:sm90 works.", ran.out)

    @unittest.skipUnless(PYTHON.exists(), "no interpreter with Triton")
    def test_json_has_the_contracts_checks(self) -> None:
        ran = self.doctor("--device", "offline:sm90", "--json")
        checks = self.checks(ran)
        for name in ("python", "package.triton", "package.torch", "package.numpy", "validation",
                     "tool.ptxas", "worker", "driver", "toolkit", "profiler", "disk", "machine",
                     "sandbox.bwrap", "sandbox.landlock", "sandbox.seccomp", "sandbox.userns",
                     "sandbox.cgroup2"):
            self.assertIn(name, checks)
        self.assertEqual(checks["worker"]["status"], "ok")
        self.assertIn("ptxas", checks["tool.ptxas"]["what"])
        device = json.loads(ran.out)["device"]
        self.assertEqual(device["gpu_key"], "sm90_offline")

    @unittest.skipUnless(PYTHON.exists(), "no interpreter with Triton")
    def test_writes_nothing(self) -> None:
        self.doctor("--device", "offline:sm90")
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_failed_lines_say_what_to_do(self) -> None:
        ran = self.doctor("--device", "offline:sm90", "--json", env={"CROQ_PYTHON": "/bin/echo"})
        self.assertEqual(ran.code, 1, ran)
        for check in self.checks(ran).values():
            if check["status"] == "failed":
                self.assertNotEqual(check["remedy"], "", check)

    def test_no_triton(self) -> None:
        triton = self.with_versions(triton=None)["package.triton"]
        self.assertEqual(triton["status"], "failed")
        self.assertIn("-m pip install triton==", triton["remedy"])
        self.assertIn(str(self.scratch), triton["remedy"])

    def test_old_triton(self) -> None:
        triton = self.with_versions(triton="3.3.1")["package.triton"]
        self.assertEqual(triton["status"], "failed")
        self.assertIn("3.4 or newer", triton["found"])

    def test_untested_triton_is_said_to_be_untested(self) -> None:
        triton = self.with_versions(triton="3.7.1")["package.triton"]
        self.assertEqual(triton["status"], "warning")
        self.assertIn("untested", triton["found"])

    def test_numpy_that_breaks_the_interpreter(self) -> None:
        self.assertIn("conflict.numpy", self.with_versions(numpy="2.4.0"))
        self.assertNotIn("conflict.numpy", self.with_versions(numpy="2.4.0", triton="3.7.0"))
        self.assertNotIn("conflict.numpy", self.with_versions(numpy="2.3.5"))

    def test_numpy_may_be_missing(self) -> None:
        self.assertEqual(self.with_versions(numpy=None)["package.numpy"]["status"], "warning")

    def test_old_python(self) -> None:
        python = self.with_versions(python="3.9.2")["python"]
        self.assertEqual(python["status"], "failed")
        self.assertIn("3.10 or newer", python["found"])

    def test_what_is_no_python(self) -> None:
        ran = self.doctor("--device", "offline:sm90", env={"CROQ_PYTHON": "/bin/true"})
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("CROQ_PYTHON=/bin/true is not a Python interpreter", ran.out)

    def test_python_that_is_not_there(self) -> None:
        ran = self.doctor("--device", "offline:sm90", env={"CROQ_PYTHON": "/nonexistent/python"})
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("no such program", ran.out)

    def test_python_that_crashes(self) -> None:
        fake = self.program("crashes", "kill -SEGV $$")
        ran = self.doctor("--device", "offline:sm90", env={"CROQ_PYTHON": str(fake)})
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("is not a Python interpreter", ran.out)

    def test_unknown_devices(self) -> None:
        for device in ("gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:01", "offline:sm10", "offline:",
                       "replay:file", "", "cuda:99999999999999999999"):
            with self.subTest(device=device):
                self.assert_usage_error(self.doctor("--device", device), f"--device '{device}'",
                                        "use auto, cuda:N", "offline:sm90")

    def test_replay_is_said_to_be_of_tune_alone(self) -> None:
        self.assert_usage_error(self.doctor("--device", "replay:x"), "croq tune alone")

    def test_gpu_number_beyond_those_there_are(self) -> None:
        ran = self.doctor("--device", "cuda:77")
        if "there is no GPU" in ran.out + ran.err or ran.code == 1:
            self.assertEqual(ran.code, 1, ran)  # no GPU at all: the table says so
            self.assertIn("Tuning on cuda:77 can't work", ran.out)
        else:
            self.assert_usage_error(ran, "cuda:77")

    def test_out_that_cannot_be_written(self) -> None:
        for out in ("/proc/croq", "/dev/null/croq"):
            with self.subTest(out=out):
                self.assert_usage_error(croq("doctor", "--device", "offline:sm90", "--out", out),
                                        out, "--out")


if __name__ == "__main__":
    unittest.main()
