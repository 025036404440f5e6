"""`croq sessions`, `croq show` and `croq export`, on stores written by hand."""

from __future__ import annotations

import json
import sqlite3
import unittest
from pathlib import Path

from croq_binary import SOURCE, CroqTest, croq

SHAPE = "matmul_f16fp32_4096x4096x4096"
CONFIG = ("tiled BLOCK_K=64 BLOCK_M=128 BLOCK_N=256 EPILOGUE_SPLIT=1 EVICT_A=none EVICT_B=none "
          "GROUP_M=8 num_ctas=1 num_stages=3 num_warps=8")
APPLICATION_ID = 0x63726F71
SCHEMA_VERSION = int((SOURCE / "src/croq/journal/schema.h").read_text()
                     .split("kSchemaVersion = ")[1].split(";")[0])


def make_session(out: Path, shape: str = SHAPE, model: str = "croq", offline: bool = False,
                 at: int = 1769860800000) -> Path:
    """A session with iter000, a DISCARD, a KEEP, an attempt and trials. Returns its logs."""
    gpu = "sm90_offline" if offline else "sm90_NVIDIA_H200"
    root = out / "tuning" / gpu / "triton"
    logs = root / "logs" / shape / model
    sources = root / "srcs" / shape / model
    logs.mkdir(parents=True)
    sources.mkdir(parents=True)
    store = sqlite3.connect(logs / "journal.db")
    store.executescript((SOURCE / "src/croq/journal/schema.sql").read_text())
    store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    store.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    environment = {"croq": "0.1.0", "triton": "3.6.0", "torch": "2.13.0", "python": "3.11.7",
                   "driver": "13000", "gpu": "NVIDIA H200"}
    store.execute("INSERT INTO session VALUES (1, ?, 'triton', ?, ?, ?, '42', ?, ?)",
                  (gpu, shape, model, offline, at, json.dumps(environment)))
    rows = [(0, "torch_matmul", "torch.matmul", "", 700.0, 0.0),
            (1, "tiled_small", CONFIG, "KEEP", 650.0, 0.93),
            (2, "tiled_large", CONFIG, "KEEP", 712.25, 1.017),
            (3, "worse", CONFIG, "DISCARD", 500.0, 0.7)]
    for number, tag, config, decision, tflops, ratio in rows:
        store.execute(
            "INSERT INTO iterations (number, state, tag, round, config, decision, bottleneck, idea,"
            " tflops, time_ms, cold_ms, ratio, ratio_low, ratio_high, best_ratio, script_tflops,"
            " verified, max_abs_err, compile_ms, predicted, at) VALUES (?, 'final', ?, ?, ?, ?, '',"
            " 'wider tiles', ?, 0.19, 0.21, ?, ?, ?, 0, 0, 1, 0.0002, 300, ?, ?)",
            (number, tag, number, config, decision, tflops, ratio, ratio - 0.01, ratio + 0.01,
             offline, at))
        (sources / f"iter{number:03}_{tag}.py").write_text(f"# {tag}\nprint('\u00e9')\n")
    store.execute("INSERT INTO attempts VALUES (1, NULL, 'tma', ?, 'compile', 'ptxas refused it',"
                  " '', 2, 4, '', 1, ?)", (CONFIG, at))
    for trial in range(1, 21):
        store.execute("INSERT INTO trials VALUES (?, NULL, 1, ?, 'correct', '', '', 0.25, 1e-4, 128,"
                      " 0, 98304, 400, 'ff', '', ?, ?)", (trial, CONFIG, offline, at))
    store.execute("INSERT INTO facts VALUES ('bars', '{\"cublas_ms_cold\": 0.2}', ?)", (at,))
    store.commit()
    store.close()
    return logs


class Sessions(CroqTest):
    def test_lists_them(self) -> None:
        make_session(self.scratch)
        make_session(self.scratch, offline=True)
        broken = make_session(self.scratch, model="broken")
        (broken / "journal.db").write_bytes(b"")
        ran = croq("sessions", "--out", str(self.scratch))
        self.assertEqual(ran.code, 0, ran)
        self.assertRegex(ran.out, rf"sm90_NVIDIA_H200/triton/{SHAPE}/croq +GPU +20 +4 +712\.2 +"
                                  r"1\.017 \[1\.007, 1\.027\] +2026-01-31 12:00:00 UTC")
        self.assertRegex(ran.out, r"sm90_offline/\S+ +offline +20 +4 +712\.2 predicted")
        self.assertIn("is empty", ran.out)

    def test_json(self) -> None:
        make_session(self.scratch)
        ran = croq("sessions", "--json", "--out", str(self.scratch))
        sessions = json.loads(ran.out)["sessions"]
        self.assertEqual(len(sessions), 1)
        self.assertEqual(sessions[0]["session"], f"sm90_NVIDIA_H200/triton/{SHAPE}/croq")
        self.assertEqual(sessions[0]["best"]["iteration"], "iter002_tiled_large")
        self.assertFalse(sessions[0]["predicted"])

    def test_none(self) -> None:
        ran = croq("sessions", cwd=self.scratch)
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("croq tune", ran.out)
        self.assert_usage_error(croq("sessions", "--out", str(self.scratch / "nowhere")),
                                "nowhere", "--out")


class Show(CroqTest):
    def test_session(self) -> None:
        logs = make_session(self.scratch)
        ran = croq("show", SHAPE, "--out", str(self.scratch))
        self.assertEqual(ran.code, 0, ran)
        for part in ("iter002_tiled_large, 712.2 TFLOPS (contract)", "TFLOPS (contract)",
                     "ms (cold)", "of cuBLAS (cold)", "attempt0001_tma", "ptxas refused it",
                     "0.2500 ms (cold)", "cublas_ms_cold", str(logs)):
            self.assertIn(part, ran.out)
        self.assertNotIn("predicted", ran.out)
        self.assertEqual(sorted(p.name for p in logs.iterdir()), ["journal.db"],
                         "showing leaves nothing behind")

    def test_the_newest_is_shown_where_none_is_named(self) -> None:
        make_session(self.scratch, model="older", at=1769860700000)
        make_session(self.scratch, model="newer", at=1769860900000)
        self.assertIn("/newer\n", croq("show", cwd=self.scratch).out)

    def test_predicted_figures_are_called_so(self) -> None:
        make_session(self.scratch, offline=True)
        out = croq("show", cwd=self.scratch).out
        self.assertIn("every figure is predicted", out)
        self.assertIn("712.2 TFLOPS (predicted)", out)
        self.assertNotIn("(contract)", out)
        out = croq("show", "iter002", cwd=self.scratch).out
        self.assertIn("712.2 TFLOPS (predicted)", out)
        self.assertIn("predicted: no GPU has run it", out)
        self.assertNotIn("(contract)", out)

    def test_iteration(self) -> None:
        make_session(self.scratch)
        for name in ("iter002", "iter002_tiled_large"):
            ran = croq("show", name, "--session", SHAPE, "--out", str(self.scratch))
            self.assertEqual(ran.code, 0, ran)
            for part in ("BLOCK_M=128", "712.2 TFLOPS (contract)", "0.2100 ms (cold median)",
                         "1.017 [1.007, 1.027] of torch.matmul", "passed", "KEEP",
                         "iter002_tiled_large.py", "python3 '"):
                self.assertIn(part, ran.out)

    def test_json(self) -> None:
        make_session(self.scratch)
        whole = json.loads(croq("show", "--json", cwd=self.scratch).out)
        self.assertEqual(whole["best"], "iter002_tiled_large")
        self.assertEqual(len(whole["iterations"]), 4)
        self.assertEqual(len(whole["last_trials"]), 10)
        self.assertEqual(whole["last_trials"][-1]["id"], 20)
        self.assertEqual(whole["facts"]["bars"]["cublas_ms_cold"], 0.2)
        one = json.loads(croq("show", "iter002", "--json", cwd=self.scratch).out)
        self.assertEqual(one["tflops_contract"], 712.25)
        self.assertTrue(one["files"]["script"].endswith("iter002_tiled_large.py"))

    def test_what_is_not_there(self) -> None:
        self.assert_usage_error(croq("show", cwd=self.scratch), "no sessions", "croq tune")
        make_session(self.scratch)
        make_session(self.scratch, model="agent")
        self.assert_usage_error(croq("show", "bf16", cwd=self.scratch), "bf16", f"{SHAPE}/croq",
                                f"{SHAPE}/agent")
        self.assert_usage_error(croq("show", SHAPE, cwd=self.scratch), f"{SHAPE}/croq",
                                f"{SHAPE}/agent")
        self.assert_usage_error(croq("show", "iter009", cwd=self.scratch), "iter009",
                                "iter003_worse")

    def test_a_damaged_store(self) -> None:
        store = make_session(self.scratch) / "journal.db"
        store.write_bytes(b"not a database")
        ran = croq("show", cwd=self.scratch)
        self.assertEqual(ran.code, 1, ran)
        self.assertIn(str(store.relative_to(self.scratch)), ran.err)
        self.assertEqual(store.read_bytes(), b"not a database")


class Export(CroqTest):
    def test_script(self) -> None:
        make_session(self.scratch)
        ran = croq("export", SHAPE, "--best", cwd=self.scratch)
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(ran.out, "# tiled_large\nprint('\u00e9')\n")
        ran = croq("export", SHAPE, "--iter", "iter001", "-o", "kernel.py", cwd=self.scratch)
        self.assertEqual((ran.code, ran.out), (0, ""), ran)
        self.assertEqual((self.scratch / "kernel.py").read_text().splitlines()[0], "# tiled_small")

    def test_config(self) -> None:
        make_session(self.scratch)
        ran = croq("export", SHAPE, "--best", "--format", "config", cwd=self.scratch)
        self.assertEqual(ran.code, 0, ran)
        self.assertRegex(ran.out, r"^triton\.Config\(\{.*\"BLOCK_M\": 128.*\}, num_warps=8,"
                                  r" num_stages=3\)\n$")

    def test_json(self) -> None:
        make_session(self.scratch)
        ran = croq("export", SHAPE, "--best", "--format", "json", cwd=self.scratch)
        whole = json.loads(ran.out)
        self.assertEqual(whole["config"]["BLOCK_N"], 256)
        self.assertEqual(whole["shape_key"], SHAPE)
        self.assertTrue(whole["triton_config"].startswith("triton.Config("))

    def test_a_predicted_kernel_is_said_to_be_one(self) -> None:
        make_session(self.scratch, offline=True)
        ran = croq("export", SHAPE, "--best", cwd=self.scratch)
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("predicted", ran.err)

    def test_bad_input(self) -> None:
        logs = make_session(self.scratch)
        for arguments in (("export",), ("export", SHAPE), ("export", "nothing", "--best"),
                          ("export", SHAPE, "--best", "--format", "yaml"),
                          ("export", SHAPE, "--iter", "iter000", "--format", "config"),
                          ("export", SHAPE, "--best", "-o", "no/such/folder/x.py")):
            self.assert_usage_error(croq(*arguments, cwd=self.scratch))
        store = sqlite3.connect(logs / "journal.db")
        store.execute("DELETE FROM iterations")
        store.commit()
        store.close()
        ran = croq("export", SHAPE, "--best", cwd=self.scratch)
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("croq tune", ran.err)


if __name__ == "__main__":
    unittest.main()
