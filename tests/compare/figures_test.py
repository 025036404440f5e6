"""Ratios and their intervals; what a session's events say; who has turns when."""

from __future__ import annotations

import json
import math
import random
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any

import made_rows  # noqa: F401
from compare import cases, events, timing
from compare.cublas_lt import HeuristicResult, column_major, loaded_library
from compare.errors import MachineError, UsageError
from compare.paired import geometric_mean, paired_ratio
from compare.tiled_configs import configurations

import ctypes

BEGAN = datetime(2026, 1, 1, tzinfo=timezone.utc)


def event(kind: str, seconds: float, **fields: Any) -> dict[str, Any]:
    at = (BEGAN + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
    return {"event": kind, "at": at.replace("+00:00", "Z"), **fields}


def trial(seconds: float, config: str, ms: float, outcome: str = "correct") -> dict[str, Any]:
    return event("trial", seconds, config=config, time_ms=ms, outcome=outcome)


class Paired(unittest.TestCase):
    def test_equal_ratios_give_that_ratio_whatever_the_clock_does(self) -> None:
        bar = [1.0 + 0.1 * index for index in range(40)]
        found = paired_ratio([ms / 1.25 for ms in bar], bar)
        self.assertIsNotNone(found)
        for value in (found.value, found.low, found.high):
            self.assertAlmostEqual(value, 1.25)
        self.assertFalse(found.slower)

    def test_swapping_sides_inverts_value_and_interval(self) -> None:
        rng = random.Random(1)
        first = [rng.uniform(0.9, 1.1) for _ in range(31)]
        second = [rng.uniform(0.95, 1.2) for _ in range(31)]
        there, back = paired_ratio(first, second), paired_ratio(second, first)
        self.assertAlmostEqual(there.value * back.value, 1)
        self.assertAlmostEqual(there.low * back.high, 1)
        self.assertAlmostEqual(there.high * back.low, 1)

    def test_intervals_of_95_percent_hold_the_truth_that_often(self) -> None:
        for pairs in (12, 80):  # the exact distribution, and the approximation
            rng = random.Random(pairs)
            held = 0
            for _ in range(300):
                own = [math.exp(rng.gauss(0, 0.05)) for _ in range(pairs)]
                found = paired_ratio(own, [1.1 * math.exp(rng.gauss(0, 0.05))
                                           for _ in range(pairs)])
                held += found.low <= 1.1 <= found.high
            self.assertGreater(held, 270)
            self.assertLess(held, 300)

    def test_critical_values_are_those_of_the_tables(self) -> None:
        # Wilcoxon signed-rank, two-sided 0.05: reject at W <= 8 of 10 pairs, 52 of 20; our interval
        # starts one order statistic above.
        own = [math.exp(2.0**index * 1e-6) for index in range(10)]
        found = paired_ratio(own, [1.0] * 10)
        logs = sorted(-0.5e-6 * (2.0**i + 2.0**j) for i in range(10) for j in range(i, 10))
        self.assertAlmostEqual(math.log(found.low), logs[8], places=12)
        self.assertAlmostEqual(math.log(found.high), logs[-9], places=12)

    def test_one_interrupted_launch_moves_it_little(self) -> None:
        own = [1.0] * 30
        own[7] = 50.0
        self.assertAlmostEqual(paired_ratio(own, [1.1] * 30).value, 1.1)

    def test_too_few_pairs_have_no_interval_and_bad_times_are_no_pairs(self) -> None:
        found = paired_ratio([1.0, 0.0, math.inf, 1.0, math.nan], [2.0, 1.0, 1.0, 2.0, 1.0, 9.0])
        self.assertEqual((found.value, found.low, found.high, found.pairs), (2.0, None, None, 2))
        self.assertIsNone(paired_ratio([], []))

    def test_geometric_mean(self) -> None:
        self.assertAlmostEqual(geometric_mean([0.5, 2.0, 1.0]), 1.0)
        self.assertIsNone(geometric_mean([]))


class Events(unittest.TestCase):
    def session(self) -> list[dict[str, Any]]:
        best = {"config": "b", "iteration": "iter002_b", "time_ms_cold": 0.90}
        return [event("started", 3, predicted=False, versions={"croq": "0.1.0"}),
                trial(8, "a", 1.20), trial(9, "x", 0.50, "correctness"), trial(14, "c", 1.0099),
                trial(20, "b", 1.00), trial(41, "b", 1.05),
                event("finished", 60, best=best, script="/s/iter002_b.py", trials=5,
                      trials_per_second=0.1, ended_by="time")]

    def test_time_to_within_one_percent_counts_from_the_start_of_the_process(self) -> None:
        self.assertAlmostEqual(events.seconds_to_within(self.session(), BEGAN), 14.0)

    def test_a_wrong_kernel_is_no_progress(self) -> None:
        fast = [one for one in self.session() if one.get("config") != "c"]
        self.assertAlmostEqual(events.seconds_to_within(fast, BEGAN), 20.0)

    def test_the_session_in_short(self) -> None:
        found = events.summarise(self.session(), BEGAN)
        self.assertEqual((found.config, found.script, found.trials, found.ended_by, found.time_ms),
                         ("b", "/s/iter002_b.py", 5, "time", 1.0))
        json.dumps(found.to_json())

    def test_a_session_that_was_cut_has_its_last_kept_kernel(self) -> None:
        cut = [*self.session()[:-1],
               event("iteration", 50, config="a", decision="KEEP", path="/s/a.py"),
               event("iteration", 55, config="b", decision="DISCARD", path="/s/b.py")]
        found = events.summarise(cut, BEGAN)
        self.assertEqual((found.config, found.script), ("a", "/s/a.py"))
        self.assertIn("cut", found.ended_by)

    def test_nothing_kept(self) -> None:
        found = events.summarise([event("finished", 60, best=None, trials=0)], BEGAN)
        self.assertEqual((found.config, found.script, found.seconds_to_within), ("", "", None))

    def test_half_a_line_is_left_out(self) -> None:
        self.assertEqual(len(events.read(['{"event": "note"}', '{"event": "tri', "[]", ""])), 1)


class FakeStage:
    """A stream on which time is what is queued, and the host costs what it is told to."""

    def __init__(self, host_ms: float = 0.1) -> None:
        self.host_ms, self.now, self.queued_ms, self.held_ms = host_ms, 0.0, 0.0, 0.0
        self.log: list[str] = []
        self.observed = 0

    def hold(self, ms: float) -> None:
        self.held_ms, self.queued_ms = ms, 0.0

    def released(self) -> bool:
        return self.queued_ms > self.held_ms

    def flush(self) -> None:
        self.log.append("flush")

    def mark(self) -> float:
        return self.now

    def between(self, start: float, stop: float) -> float:
        return stop - start

    def observe(self) -> None:
        self.observed += 1

    def wait(self) -> None:
        self.log.append("wait")

    def work(self, name: str, ms: float) -> None:
        self.log.append(name)
        self.now += ms
        self.queued_ms += self.host_ms


class Timing(unittest.TestCase):
    def launches(self, stage: FakeStage) -> dict[str, Any]:
        return {"a": lambda: stage.work("a", 1.0), "b": lambda: stage.work("b", 2.0),
                "c": lambda: stage.work("c", 3.0)}

    def test_cold_rounds_flush_before_each_launch_and_shuffle(self) -> None:
        stage = FakeStage()
        times = timing.cold(stage, self.launches(stage), 30, random.Random(0), 2)
        self.assertEqual({name: (len(own), own[0]) for name, own in times.items()},
                         {"a": (30, 1.0), "b": (30, 2.0), "c": (30, 3.0)})
        rounds = "".join(stage.log).split("wait")[:-1]
        self.assertEqual(len(rounds), 32)
        self.assertGreater(len(set(rounds)), 3)  # of 6 orders
        for one in rounds:
            self.assertRegex(one, "^(flush[abc]){3}$")
        self.assertEqual(stage.observed, 32)

    def test_a_slow_host_gets_a_longer_hold_and_a_hopeless_one_an_error(self) -> None:
        stage = FakeStage(host_ms=5.0)
        self.assertEqual(len(timing.cold(stage, self.launches(stage), 4, random.Random(0))["a"]), 4)
        self.assertGreater(stage.held_ms, 15.0)
        slow = FakeStage(host_ms=1e4)
        with self.assertRaises(MachineError):
            timing.cold(slow, self.launches(slow), 4, random.Random(0))

    def test_sustained_times_are_a_launch_and_blocks_follow_each_other(self) -> None:
        stage = FakeStage()
        blocks = {"a": timing.Block(10, lambda: stage.work("a", 10.0)),
                  "b": timing.Block(4, lambda: stage.work("b", 2.0))}
        times = timing.sustained(stage, blocks, 5, random.Random(0), 1)
        self.assertEqual(times, {"a": [1.0] * 5, "b": [0.5] * 5})
        self.assertNotIn("flush", stage.log)

    def test_rounds_stay_within_their_bounds(self) -> None:
        self.assertEqual([timing.rounds_for(8, ms, 40, 300) for ms in (0.1, 50.0, 1e4)],
                         [300, 160, 40])


class Cases(unittest.TestCase):
    def test_there_are_16_and_all_parse(self) -> None:
        self.assertEqual(len(set(cases.KEYS)), 16)
        for key in cases.KEYS:
            self.assertEqual(cases.parse(key).key, key)

    def test_bad_keys_say_what_is_wrong(self) -> None:
        for key, said in (("matmul_f16fp32_0x1x1", "no shape key"), ("softmax_f16fp32_1x1x1", "no"),
                          ("matmul_f8_1x1x1", "unknown dtype"),
                          ("matmul_e4m3fp32_16x16x16", "matmul_nt")):
            with self.assertRaisesRegex(UsageError, said):
                cases.parse(key)

    def test_each_case_gets_72_different_configurations(self) -> None:
        for key in cases.KEYS:
            case = cases.parse(key)
            found = configurations(case, cases.ELEMENT_BYTES[case.dtype])
            self.assertEqual(len(set(found)), 72)
            self.assertTrue(all(one.block_m <= 2 * case.m for one in found), key)

    def test_cublas_sees_the_product_column_by_column(self) -> None:
        plain = column_major(cases.parse("matmul_f16fp32_2x3x5"))
        self.assertEqual((plain.first_operation, plain.first, plain.second, plain.result),
                         (0, (3, 5, 3), (5, 2, 5), (3, 2, 3)))
        turned = column_major(cases.parse("matmul_nt_f16fp32_2x3x5"))
        self.assertEqual((turned.first_operation, turned.first), (1, (5, 3, 5)))
        self.assertEqual(ctypes.sizeof(HeuristicResult), 96)

    def test_the_library_is_the_one_that_is_loaded(self) -> None:
        maps = ["7f00-7f01 r-xp 00000000 00:01 12   /usr/lib/libc.so.6",
                "7f02-7f03 r--p 00000000 00:01 13   /site packages/nvidia/libcublasLt.so.13"]
        self.assertEqual(loaded_library(maps), "/site packages/nvidia/libcublasLt.so.13")
        with self.assertRaises(MachineError):
            loaded_library(maps[:1])


if __name__ == "__main__":
    unittest.main()
