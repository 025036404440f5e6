"""`croq tune --device replay:FILE` and `croq record`, without a GPU."""

from __future__ import annotations

import json
import os
import subprocess
import unittest

from croq_binary import BINARY, SOURCE, CroqTest, croq

KEY = "matmul_nt_f16fp32_64x8192x8192"
RECORDING = SOURCE / f"data/recordings/{KEY}.jsonl"


class Replay(CroqTest):
    def replay(self, *arguments: str) -> list[dict]:
        ran = croq("tune", KEY, "--device", f"replay:{RECORDING}", "--json", "--out",
                   str(self.scratch), *arguments)
        self.assertEqual(ran.code, 0, ran)
        return [json.loads(line) for line in ran.out.splitlines()]

    def test_a_search_finds_the_recorded_best(self) -> None:
        events = self.replay("--trials", "100", "--seed", "1")
        finished = events[-1]
        self.assertEqual(finished["event"], "finished")
        self.assertEqual(finished["trials"], 100)
        self.assertGreater(finished["of_recorded_best"], 0.97)
        self.assertGreater(finished["charged_seconds"], 1)
        trials = [event for event in events if event["event"] == "trial"]
        self.assertTrue(all(trial["predicted"] for trial in trials), "a replay measures nothing")
        recorded = {json.dumps(row[0]): row[2] for row in map(json.loads, RECORDING.open())
                    if isinstance(row, list)}
        self.assertIn(trials[0]["time_ms"], recorded.values())

    def test_the_whole_recording_ends_at_its_best(self) -> None:
        finished = self.replay("--trials", "100000", "--strategy", "exhaustive")[-1]
        self.assertEqual(finished["trials"], finished["recorded_trials"])
        self.assertEqual(finished["of_recorded_best"], 1)

    def test_time_is_the_recorded_time(self) -> None:
        few = self.replay("--time", "1s", "--seed", "1")[-1]
        self.assertLess(few["trials"], 100)
        self.assertGreaterEqual(few["charged_seconds"], 1)
        self.assertLess(few["charged_seconds"], 1.5)

    def test_no_gain_ends_a_search(self) -> None:
        finished = self.replay("--no-gain", "40", "--strategy", "hybrid", "--seed", "1")[-1]
        self.assertLess(finished["trials"], 200)
        self.assertGreaterEqual(finished["trials"], 41)

    def test_the_account_adds_up(self) -> None:
        account = self.replay("--trials", "300", "--seed", "1")[-1]["account"]
        parts = sum(account[part] for part in ("propose", "wait", "judge", "record"))
        self.assertLessEqual(parts, account["wall"] * 1.0001)
        self.assertGreater(parts, account["wall"] * 0.5)
        self.assertEqual(account["built"], 300)
        self.assertGreater(account["compile"], 30, "0.2 s a build")

    def test_a_session_goes_on(self) -> None:
        first = self.replay("--trials", "30", "--seed", "1")
        second = self.replay("--trials", "30", "--seed", "1")
        self.assertTrue(second[0]["resumed"])
        tried = [{event["config"] for event in events if event["event"] == "trial"}
                 for events in (first, second)]
        self.assertFalse(tried[0] & tried[1], "tried again")
        self.assertTrue((self.scratch / "tuning/replay_sm90_NVIDIA_H200").is_dir())

    def test_rounds_are_refused(self) -> None:
        ran = croq("tune", KEY, "--device", f"replay:{RECORDING}", "--rounds", "2", "--out",
                   str(self.scratch))
        self.assert_usage_error(ran, "--rounds", "--trials")

    def test_recording_takes_a_gpu(self) -> None:
        self.assert_usage_error(croq("record", KEY, "--device", "offline:sm90"), "no GPU")
        self.assert_usage_error(croq("record", "nonsense"), "nonsense")

    def test_kernel_tuners_cache(self) -> None:
        ran = croq("record", str(RECORDING), "--kernel-tuner")
        self.assertEqual(ran.code, 0, ran)
        cache = json.loads(ran.out)
        self.assertEqual(cache["kernel_name"], KEY)
        self.assertEqual(len(cache["cache"]), sum(1 for _ in RECORDING.open()) - 1)

    def test_a_closed_pipe_is_no_crash(self) -> None:
        done = subprocess.run(f"'{BINARY}' record '{RECORDING}' --kernel-tuner | head -c 1",
                              shell=True, capture_output=True, text=True, check=False,
                              env=dict(os.environ))
        self.assertEqual(done.stdout, "{")


if __name__ == "__main__":
    unittest.main()
