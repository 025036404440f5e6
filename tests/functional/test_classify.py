"""`croq classify` on exports of Nsight Compute."""

from __future__ import annotations

import json
import shutil
import unittest

from croq_binary import SOURCE, CroqTest, croq

EXPORTS = SOURCE / "tests/golden/ncu"


class Classify(CroqTest):
    def test_json_has_the_keys(self) -> None:
        ran = croq("classify", str(EXPORTS / "six_kernels_raw.csv"), "--kernel", "mm_ptr", "--json")
        self.assertEqual(ran.code, 0, ran)
        verdict = json.loads(ran.out)
        self.assertEqual(verdict["kernel"], "mm_ptr")
        self.assertEqual(verdict["bottleneck"], "compute_bound")
        self.assertEqual(verdict["confidence"], "medium")
        self.assertIsNone(verdict["level"])
        self.assertIsNone(verdict["runner_up"])
        self.assertEqual(verdict["metrics"]["sm_pct"]["id"],
                         "sm__throughput.avg.pct_of_peak_sustained_elapsed")
        self.assertAlmostEqual(verdict["metrics"]["waves"]["value"], 512 / 132)

    def test_text_names_the_verdict_and_the_metrics(self) -> None:
        ran = croq("classify", str(EXPORTS / "add_raw_default.csv"))
        self.assertEqual(ran.code, 0, ran)
        self.assertTrue(ran.out.startswith(
            "croq_add: memory_bound, level dram, confidence high\n"), ran)
        self.assertIn("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", ran.out)
        self.assertIn("long_scoreboard", ran.out)
        self.assertNotIn("unknown", ran.out.splitlines()[0])

    def test_the_details_page_beside_it_is_read(self) -> None:
        shutil.copy(EXPORTS / "mm_raw_base.csv", self.scratch / "ncu.csv")
        shutil.copy(EXPORTS / "mm_details_base.csv", self.scratch / "ncu.details.csv")
        ran = croq("classify", str(self.scratch / "ncu.csv"), "--json")
        self.assertEqual(ran.code, 0, ran)
        nvidia = json.loads(ran.out)["evidence"]["nvidia"]
        self.assertEqual(nvidia["verdict"], "High Throughput")
        self.assertTrue(nvidia["agrees"])

    def test_wall_time_and_ceilings(self) -> None:
        ran = croq("classify", str(EXPORTS / "synthetic/latency_raw.csv"), "--wall-ms", "9",
                   "--copy-gbps", "4000", "--matmul-tflops", "800", "--json")
        verdict = json.loads(ran.out)
        self.assertEqual(verdict["bottleneck"], "launch_bound")
        self.assertEqual(verdict["evidence"]["cause"], "host")
        self.assertAlmostEqual(verdict["evidence"]["roofline"]["ridge"], 200.0)

    def test_kernel_names_cannot_steer_a_terminal(self) -> None:
        for name, shown in (("synthetic\x1b[31mred", "synthetic\\x1b[31mred:"), ("", "(no name):")):
            file = self.scratch / "names.csv"
            text = (EXPORTS / "synthetic/noise_raw.csv").read_text()
            file.write_text(text.replace('"synthetic_noise"', f'"{name}"'))
            ran = croq("classify", str(file))
            self.assertEqual(ran.code, 0, ran)
            self.assertIn(shown, ran.out)
            self.assertNotIn("\x1b", ran.out)

    def test_mistakes_are_usage_errors(self) -> None:
        self.assert_usage_error(croq("classify", str(EXPORTS / "all_summary.csv")),
                                "--csv --page raw")
        self.assert_usage_error(croq("classify", str(EXPORTS / "six_kernels_raw.csv")),
                                "several kernels", "mm_tma")
        self.assert_usage_error(
            croq("classify", str(EXPORTS / "six_kernels_raw.csv"), "--kernel", "nope"),
            "no kernel 'nope'", "mm_tma")
        self.assert_usage_error(croq("classify", "no_such.csv"), "no_such.csv")
        self.assert_usage_error(croq("classify", str(self.scratch)))
        self.assert_usage_error(croq("classify"), "FILE")
        self.assert_usage_error(
            croq("classify", str(EXPORTS / "mm_raw_base.csv"), "--wall-ms", "-1"), "wall-ms")
        for option in ("--wall-ms", "--copy-gbps", "--matmul-tflops"):
            for value, part in (("nan", "out of range"), ("inf", "out of range"),
                                ("0", "out of range"), ("1e999", "out of range"),
                                ("abc", "'abc' is not a number"), ("3x", "'3x' is not a number"),
                                ("", "the value is empty")):
                ran = croq("classify", str(EXPORTS / "mm_raw_base.csv"), option, value)
                self.assert_usage_error(ran, option, part, "a number above 0")
                self.assertLess(len(ran.err), 200, ran)
        self.assert_usage_error(croq("classify", str(EXPORTS / "mm_raw_base.csv"), "--details",
                                     "no_such.csv"), "no_such.csv")


if __name__ == "__main__":
    unittest.main()
