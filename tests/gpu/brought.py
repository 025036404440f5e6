"""Brought kernels from the file to the verdict on a GPU machine, through the workers and the runner
by themselves: captured, compiled, drawn, given torch's own reference, checked and timed.

    brought.py [--runner PATH] [--only NAME]...

Each kernel of tests/worker/kernels must be right as it is and wrong once it is broken, with the
tensor named. Prints a line each; exit 0: all held, 1: one did not, 77: no GPU or no Triton here.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "worker")]

import brought_problems as problems
from croq_run import has_triton
from worker_client import KERNELS, Worker, read_frame, write_frame

SKIPPED = 77
SEED = "20260101"
#: name: file, problem, (a line of the file, what breaks it), the tensor that is then wrong.
CASES: dict[str, tuple[str, dict[str, Any], tuple[str, str], str]] = {
    "softmax": ("brought_softmax.py", problems.softmax(rows=4096, columns=500),
                ("y = e / tl.sum(e, 0)", "y = e / (tl.sum(e, 0) + 32)"), "y"),
    "softmax bf16": ("brought_softmax.py",
                     problems.softmax(element="bf16", dtype="bf16fp32", rows=1000),
                     ("lambda meta: (x.shape[0],)", "lambda meta: (x.shape[0] - 1,)"), "y"),
    "rmsnorm": ("brought_rmsnorm.py", problems.rmsnorm(rows=4096),
                ("tl.store(residual_ptr + place, h", "tl.store(residual_ptr + place, h + h"),
                "residual"),
    "count": ("brought_rmsnorm.py", problems.rmsnorm("rmsnorm_all", rows=100),
              ("(h > 0).to", "(h > 0.001).to"), "count"),
    "splitk": ("brought_splitk.py", problems.splitk(256, 320, 4096),
               ("for split in range(SPLITS)", "for split in range(SPLITS - 1)"), "c"),
    "attention": ("brought_attention.py", problems.attention(1000, 64),
                  ("v = tl.load(v_ptr + at", "v = tl.load(v_ptr + at + WIDTH"), "o"),
    "attention lse": ("brought_attention.py", problems.attention(96, 64),
                      ("top + tl.log(total)", "top + total"), "lse")}


class Runner:
    """croq-runner over its pipes."""

    def __init__(self, path: str) -> None:
        request_read, self._write = os.pipe()
        self._read, reply_write = os.pipe()
        self._process = subprocess.Popen(
            [path, "--read-fd", str(request_read), "--write-fd", str(reply_write)],
            pass_fds=(request_read, reply_write))
        os.close(request_read)
        os.close(reply_write)
        self.hello = read_frame(self._read) or {}
        self._id = 0

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The reply; raises where the runner calls the request senseless."""
        self._id += 1
        write_frame(self._write, {"type": kind, "id": self._id, **fields})
        reply = read_frame(self._read)
        if reply is None or reply["type"] == "error":
            raise RuntimeError(f"{kind}: {reply}")
        return reply

    def close(self) -> None:
        os.close(self._write)
        self._process.wait(timeout=60)


def plan_of(source: Path, problem: dict[str, Any], device: dict[str, Any], capture: Worker,
            compiler: Worker) -> dict[str, Any]:
    """The launch plan of one call of the entry, compiled."""
    captured = capture.ask({"type": "capture", "source": str(source), "problem": problem,
                            "device": device, "timeout_s": 60.0})
    if not captured["ok"]:
        raise RuntimeError(f"capture: {captured}")
    plan = captured["plan"]
    kernels = []
    for kernel in plan["kernels"]:
        compiled = compiler.ask({"type": "compile", "source": str(source),
                                 "target": device["compute_capability"],
                                 "out": str(source.parent), **kernel})
        if not compiled["ok"]:
            raise RuntimeError(f"compile: {compiled}")
        kernels.append({**compiled, "fingerprint": "", "registers": 0, "local_bytes": 0})
    return {**plan, "kernels": kernels}


def prepare(runner: Runner, problem: dict[str, Any], source: Path, reference: Worker,
            folder: Path) -> dict[str, Any]:
    """The problem on the device, with references for its first two sets."""
    prepared = runner.ask("prepare", shape=problem["shape_key"], seed=SEED, problem=problem,
                          max_abs_tolerance=0.0, bound_constant=8.0,
                          libraries={"cublas": "", "cublas_lt": ""})
    for number in range(2):
        inputs, outputs = folder / f"in{number}", folder / f"out{number}"
        inputs.mkdir()
        outputs.mkdir()
        runner.ask("inputs", set=number, folder=str(inputs))
        made = reference.ask({"type": "reference", "source": str(source), "problem": problem,
                              "inputs": str(inputs), "outputs": str(outputs), "device": "cuda:0",
                              "time": number == 0, "timeout_s": 60.0})
        if not made["ok"] or made["time_problem"]:
            raise RuntimeError(f"reference: {made}")
        runner.ask("references", set=number, folder=str(outputs))
        prepared.setdefault("torch_ms", made["cold_ms"])
    return prepared


def trial(runner: Runner, plan: dict[str, Any]) -> dict[str, Any]:
    return runner.ask("trial", plan=plan, warmup=2, samples=10, stop_above_ms=0.0,
                      halve_above_ms=0.0, deadline_ms=2000.0, check_all_sets=True)


def judge(name: str, runner: Runner, device: dict[str, Any], workers: dict[str, Worker]) -> bool:
    """Whether the case holds; prints what was found."""
    file, problem, (line, broken), tensor = CASES[name]
    with tempfile.TemporaryDirectory(prefix="croq_brought.") as place:
        folder = Path(place)
        source, wrong = folder / "right.py", folder / "wrong.py"
        text = (KERNELS / file).read_text()
        assert line in text, line
        source.write_text(text)
        wrong.write_text(text.replace(line, broken))
        prepared = prepare(runner, problem, source, workers["reference"], folder)
        plans = [plan_of(path, problem, device, workers["capture"], workers["compile"])
                 for path in (source, wrong)]
        right, bad = (trial(runner, plan) for plan in plans)
        again = trial(runner, plans[0])
    held = (right["outcome"] == again["outcome"] == "correct"
            and bad["outcome"] == "correctness" and bad["check"]["tensor"] == tensor)
    print(f"{'ok  ' if held else 'FAIL'} {name}: {right['outcome']} "
          f"{right['reason'] or right['check']['worst_ratio']}, again {again['outcome']}, "
          f"{(right['timing'] or {}).get('median_ms')} ms (torch {prepared['torch_ms']:.4f}), "
          f"copies {prepared['copy_gbps']:.0f} GB/s; broken: {bad['reason']}", flush=True)
    return held


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runner", default=os.environ.get("CROQ_RUNNER", "croq-runner"))
    parser.add_argument("--only", action="append", choices=CASES)
    options = parser.parse_args()
    if not has_triton():
        print("no Triton here")
        return SKIPPED
    runner = Runner(options.runner)
    if not runner.hello.get("cuda"):
        print(f"no GPU: {runner.hello.get('problem')}")
        return SKIPPED
    device = runner.ask("open", ordinal=0)["device"]
    workers = {mode: Worker(mode) for mode in ("capture", "compile", "reference")}
    try:
        return 0 if all([judge(name, runner, device, workers)
                         for name in options.only or CASES]) else 1
    finally:
        for worker in workers.values():
            worker.__exit__()
        runner.close()


if __name__ == "__main__":
    sys.exit(main())
