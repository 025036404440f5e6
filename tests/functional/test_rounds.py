"""Rounds that follow ideas, without a GPU: a session, and what `croq ideas`, `explain`, `diff` say."""

from __future__ import annotations

import json
import os
import subprocess
import unittest

from croq_binary import PYTHON, CroqTest, croq, has_command

SHAPE = "matmul_f16fp32_256x256x512"
HAS_TRITON = PYTHON.exists() and subprocess.run(
    [str(PYTHON), "-c", "import triton, torch"], capture_output=True, check=False).returncode == 0
VERDICTS = ("memory_bound", "compute_bound", "latency_bound", "launch_bound", "mixed")


class Menu(CroqTest):
    def test_a_verdict_has_its_entries(self) -> None:
        ran = croq("ideas", "--bottleneck", "launch_bound")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("launch_persistent\n", ran.out)
        self.assertIn("not offered", ran.out)
        self.assertNotIn("memory_evict_last", ran.out)

    def test_json_has_them_as_the_contract_does(self) -> None:
        contract = json.loads(croq("contract", "show", "--json").out)
        listed = set()
        for verdict in (*VERDICTS, "l2"):
            ideas = json.loads(croq("ideas", "--bottleneck", verdict, "--json").out)["ideas"]
            listed |= {idea["id"] for idea in ideas}
        self.assertEqual(listed, {idea["id"] for idea in contract["ideas"]})

    def test_what_is_wrong_is_said(self) -> None:
        self.assert_usage_error(croq("ideas", "--bottleneck", "slow"), "slow")
        self.assert_usage_error(croq("ideas", "fast", "--out", str(self.scratch)), "'fast'")
        self.assert_usage_error(croq("ideas", "--out", str(self.scratch)), "no sessions")
        self.assert_usage_error(croq("diff", "iter001", "x", "--out", str(self.scratch)), "'x'")
        self.assert_usage_error(croq("explain", "--out", str(self.scratch)), "no sessions")


@unittest.skipUnless(has_command("tune"), "this croq has no tune command")
@unittest.skipUnless(HAS_TRITON, f"no Triton and torch in {PYTHON}")
class Session(CroqTest):
    def croq(self, *arguments: str):
        ran = croq(*arguments, "--out", str(self.scratch))
        self.assertEqual(ran.code, 0, ran)
        return ran.out

    def check_events(self, events: list[dict]) -> None:
        ideas = [event for event in events if event["event"] == "idea"]
        self.assertEqual([idea["round"] for idea in ideas], [2, 3])
        profiles = [event for event in events if event["event"] == "profile"]
        self.assertTrue(profiles)
        for profile in profiles:
            self.assertTrue(profile["static"] and profile["predicted"], profile)
            self.assertIn(profile["bottleneck"], VERDICTS)
        rules = [event for event in events if event["event"] == "rules"]
        self.assertEqual(rules[-1]["broken"], [], rules[-1])
        self.assertEqual(rules[-1]["idea_rounds"], 2)

    def check_log(self) -> None:
        log = next(self.scratch.glob("tuning/*/triton/logs/*/croq/idea-log.jsonl"))
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual([line["round"] for line in lines], [1, 2, 3])
        for line in lines[1:]:
            self.assertTrue(line["idea_id"] and line["evidence"] and line["base"], line)
            self.assertGreaterEqual(line["expected_gain"], 1)
            self.assertTrue(line["counters"])

    def croq_with_ncu(self, *arguments: str):
        """croq, with an ncu (of no use but to be found) before all others on PATH."""
        tool = self.scratch / "tools/ncu"
        tool.parent.mkdir()
        tool.write_text("#!/bin/sh\nexit 1\n")
        tool.chmod(0o755)
        ran = croq(*arguments, "--out", str(self.scratch),
                   env={"PATH": f"{tool.parent}:{os.environ['PATH']}"})
        self.assertEqual(ran.code, 0, ran)
        return ran.out, str(tool)

    def test_whole(self) -> None:
        out, ncu = self.croq_with_ncu("tune", SHAPE, "--device", "offline:sm90", "--rounds", "3",
                                      "--trials", "18", "--json")
        events = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(events[0]["profiler"], ncu)
        opening = [event for event in events if event["event"] == "trial"][:6]
        self.assertTrue(opening and all(one["config"].startswith("tiled ") for one in opening),
                        opening)
        self.check_events(events)
        self.check_log()
        ranking = json.loads(self.croq("ideas", "--json"))
        self.assertIn(ranking["profile"]["bottleneck"], VERDICTS)
        applicable = [idea for idea in ranking["ideas"] if idea["applicable"]]
        scores = [idea["score"] for idea in applicable]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertTrue(all(idea["reason"] for idea in ranking["ideas"] if not idea["applicable"]))
        page = self.croq("explain", "iter001")
        for heading in ("## What was seen", "## What was tried", "## What came of it"):
            self.assertIn(heading, page)
        page = self.croq("explain", "iter000")
        self.assertIn("| rate | not measured |", page)
        self.assertIn("| check | not measured |", page)
        self.assertNotIn(" 0.0 TFLOPS", page)
        out = ("--out", str(self.scratch))
        self.assert_usage_error(croq("profile", "iter000", "--no-profile", *out), "no time of it")
        self.assert_usage_error(croq("explain", SHAPE, "-o", "same.svg", *out), "same.svg")
        path = self.scratch / "path.md"
        self.croq("explain", SHAPE, "-o", str(path))
        self.assertIn("No rule was broken.", path.read_text())
        self.assertIn("(path.svg)", path.read_text())
        self.assertTrue((self.scratch / "path.svg").read_text().startswith("<svg"))
        self.check_diff()

    def check_diff(self) -> None:
        session = json.loads(self.croq("show", "--json"))
        names = [one["iteration"].split("_")[0] for one in session["iterations"]]
        diff = json.loads(self.croq("diff", "iter001", names[-1], "--json"))
        self.assertGreater(diff["before"]["sass"]["instructions"], 0, diff["before"]["no_sass"])
        self.assertIn("tensor", diff["before"]["sass"]["classes"])
        if names[-1] != "iter001":
            self.assertTrue(diff["config"])
            self.assertTrue(diff["source"].startswith("--- iter001"))


if __name__ == "__main__":
    unittest.main()
