"""`croq profile` with tests/support/fake_ncu.sh for an ncu."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import unittest
from pathlib import Path

from croq_binary import SOURCE, CroqTest, Ran, croq
from test_sessions import SHAPE, make_session

EXPORTS = SOURCE / "tests/golden/ncu"
SCRIPT = """import triton
import triton.language as tl
{decorator}

@triton.jit
def helper(x):
    return x

@triton.jit
def croq_mm(a, b, c):
    tl.store(c, helper(tl.load(a)))

def kernel_fn(a, b, c):
    croq_mm[(1,)](a, b, c)
"""
AUTOTUNED = SCRIPT.replace("@triton.jit\ndef croq_mm",
                           "@triton.autotune(configs=[triton.Config({}, num_warps=4)], key=[])\n"
                           "@triton.jit\ndef croq_mm")


class Profile(CroqTest):
    def setUp(self) -> None:
        super().setUp()
        make_session(self.scratch)
        self.root = self.scratch / "tuning/sm90_NVIDIA_H200/triton"
        self.bin = self.scratch / "bin"
        self.bin.mkdir()
        (self.bin / "ncu").symlink_to(SOURCE / "tests/support/fake_ncu.sh")
        self.raw = "mm_raw_base.csv"
        self.write(SCRIPT)

    def write(self, source: str) -> None:
        path = self.root / "srcs" / SHAPE / "croq/iter002_tiled_large.py"
        path.write_text(source.format(decorator="") if source is SCRIPT else
                        source.replace("{decorator}", ""))

    def profile(self, *arguments: str, mode: str = "ok") -> Ran:
        environment: dict[str, str | None] = {
            "PATH": f"{self.bin}:{os.environ['PATH']}", "FAKE_NCU": mode,
            "FAKE_NCU_RAW": str(EXPORTS / self.raw),
            "FAKE_NCU_DETAILS": str(EXPORTS / "mm_details_base.csv"),
            "FAKE_NCU_CALLS": str(self.scratch / "calls")}
        return croq("profile", "iter002", "--out", str(self.scratch), *arguments, env=environment)

    def test_writes_and_runs_the_script_and_classifies(self) -> None:
        ran = self.profile("--json")
        self.assertEqual(ran.code, 0, ran)
        verdict = json.loads(ran.out)
        self.assertEqual(verdict["iteration"], "iter002_tiled_large")
        self.assertEqual(verdict["bottleneck"], "compute_bound")
        self.assertEqual(verdict["kernel"], "croq_mm")
        self.assertFalse(verdict["static"])
        self.assertEqual(verdict["evidence"]["nvidia"]["verdict"], "High Throughput")
        perf = self.root / "perf" / SHAPE / "croq"
        for name in ("ncu_iter002.ncu-rep", "ncu_iter002.csv", "ncu_iter002.details.csv"):
            self.assertTrue((perf / name).exists(), name)
        script = (self.root / "cmd" / SHAPE / "croq/profile_iter002.sh").read_text()
        self.assertIn("--kernel-name 'regex:^(croq_mm)(", script)
        self.assertIn("--set full", script)

    def test_text_has_the_verdict(self) -> None:
        ran = self.profile()
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("iter002_tiled_large\ncroq_mm: compute_bound, confidence high\n", ran.out)

    def test_failures_are_named_and_a_static_profile_is_given(self) -> None:
        for mode, name, part in (("permission", "no_permission", "CAP_SYS_ADMIN"),
                                 ("no_kernels", "no_kernels", "--kernel-name"),
                                 ("busy", "busy", "dcgmi")):
            with self.subTest(mode=mode):
                self.assert_no_profile(self.profile(mode=mode), name, part)

    def assert_no_profile(self, ran: Ran, name: str, part: str) -> None:
        self.assertEqual(ran.code, 1, ran)
        self.assertIn(f"no profile of iter002_tiled_large ({name}): ", ran.err)
        self.assertIn(part, ran.err)
        self.assertIn("(static: no counter was read)", ran.out)

    def test_another_kernel_is_refused(self) -> None:
        self.raw = "add_raw_default.csv"
        self.assert_no_profile(self.profile(), "wrong_kernel", "croq_add instead of croq_mm")

    def test_without_ncu(self) -> None:
        (self.bin / "ncu").unlink()
        if shutil.which("ncu") or Path("/usr/local/cuda/bin/ncu").exists():
            self.skipTest("this machine has an ncu")
        self.assert_no_profile(self.profile(), "no_profiler", "install NVIDIA Nsight Compute")

    def test_a_failure_as_json_is_a_static_profile_with_its_reason(self) -> None:
        ran = self.profile("--json", mode="permission")
        self.assertEqual(ran.code, 1, ran)
        verdict = json.loads(ran.out)
        self.assertTrue(verdict["static"])
        self.assertEqual(verdict["problem"], "no_permission")
        self.assertIn("CAP_SYS_ADMIN", verdict["reason"])

    def test_the_roofline_is_of_what_the_session_measured(self) -> None:
        logs = self.root / "logs" / SHAPE / "croq"
        store = sqlite3.connect(logs / "journal.db")
        store.execute("UPDATE facts SET value = ? WHERE key = 'bars'", (json.dumps(
            {"cublas_tflops_cold": 700.0, "cublas_lt_best_tflops_cold": 720.0}),))
        store.execute("INSERT INTO facts VALUES ('copy_gbps', '4000.0', 0)")
        store.commit()
        store.close()
        roofline = json.loads(self.profile("--json").out)["evidence"]["roofline"]
        self.assertAlmostEqual(roofline["ridge"], 720e12 / 4000e9)
        self.assertGreater(roofline["matmul_share"], 0)

    def test_via_runner_needs_a_gpu_and_a_plan(self) -> None:
        self.assert_usage_error(self.profile("--via", "runner", "--device", "offline:sm90"),
                                "no GPU", "--no-profile")
        ran = croq("profile", "iter000", "--via", "runner", "--out", str(self.scratch))
        self.assert_usage_error(ran, "iter000_torch_matmul", "--via script")

    def test_without_counters_on_demand(self) -> None:
        ran = self.profile("--no-profile", "--json")
        self.assertEqual(ran.code, 0, ran)
        verdict = json.loads(ran.out)
        self.assertTrue(verdict["static"])
        self.assertIsNone(verdict["kernel"])
        self.assertFalse((self.scratch / "calls").exists())

    def test_a_brought_kernel_is_judged_by_what_its_file_states(self) -> None:
        logs = make_session(self.scratch, shape="softmax_f16fp32_8192x4096")
        store = sqlite3.connect(logs / "journal.db")
        # 0.1 ms at 4 TB/s, of the 0.21 ms that the session holds.
        store.execute("INSERT INTO facts VALUES ('file', ?, 0), ('copy_gbps', '4000.0', 0)",
                      (json.dumps({"name": "softmax.py", "flops": 1e6, "bytes": 4e8}),))
        store.commit()
        store.close()
        ran = croq("profile", "iter002", "--session", "softmax", "--no-profile", "--json",
                   "--out", str(self.scratch))
        self.assertEqual(ran.code, 0, ran)
        verdict = json.loads(ran.out)
        self.assertTrue(verdict["static"])
        self.assertAlmostEqual(verdict["figures"]["roofline_pct"]["value"], 100 * 0.1 / 0.21)
        self.assert_usage_error(
            croq("profile", "iter002", "--session", "softmax", "--via", "runner", "--out",
                 str(self.scratch)), "--via script")

    def test_an_autotuned_script_is_refused(self) -> None:
        self.write(AUTOTUNED)
        self.assert_usage_error(self.profile(), "croq_mm is autotuned", "iter002_tiled_large.py:")
        self.assertFalse((self.scratch / "calls").exists())

    def test_a_deadline_ends_it(self) -> None:
        ran = self.profile("--deadline", "0.5", mode="hang")
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("(timeout)", ran.err)

    def test_mistakes_are_usage_errors(self) -> None:
        self.assert_usage_error(croq("profile", "iter099", "--out", str(self.scratch)), "iter099")
        self.assert_usage_error(croq("profile", "iter099", "--out", str(self.scratch)), SHAPE,
                                "--session")
        self.assert_usage_error(self.profile("--device", "foo"), "'foo'")
        self.assert_usage_error(self.profile("--via", "nothing"), "via")
        for value in ("nan", "inf", "0", "1e300", "abc", ""):
            self.assert_usage_error(self.profile("--deadline", value), "--deadline",
                                    "a number above 0")
        self.assert_usage_error(croq("profile", "--out", str(self.scratch)), "ITER")


if __name__ == "__main__":
    unittest.main()
