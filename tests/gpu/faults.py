"""Breaks a copy of croq on a GPU machine: kernels that write out of bounds, never end, ask for too
much shared memory, or are wrong.

    faults.py [--croq PATH] [--device cuda:0] [--only NAME]... [--trials N] [--list]

Each session must go on to a KEEP, name the fault in the trials that have it, and leave nothing
running. Prints a table; exit 0: all held, 1: one did not, 77: no GPU or no Triton here.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "faults")]

from croq_run import find_croq, has_triton
from fault_run import Broken, blame, levers, run_broken
from package_copy import Package, copy_package

SKIPPED = 77
#: Rows of B that are no multiple of 16 bytes rule descriptors out: every variant is one of pointers
#: and has the fault.
SHAPE = "matmul_f16fp32_1024x1028x1024"
LOOP = "python/operators/matmul/pointer_loop.py.in"
WORKER = "python/croq_worker/compile_job.py"
RETURN = "    return acc"
RANGE = "    for k in range(0, (K - 1) // BLOCK_K + 1):"


@dataclass(frozen=True)
class Fault:
    """What is put into the copy, which configurations have it, and what croq must say."""

    name: str
    lever: tuple[str, str]
    edits: tuple[tuple[str, str, str], ...]
    outcome: str
    words: tuple[str, ...]
    restarts: bool  # whether the runner can't go on after it

    def inject(self, package: Package) -> None:
        """Breaks the copy."""
        for name, old, new in self.edits:
            package.replace(name, old, new)


FAULTS = (
    Fault("illegal address", ("BLOCK_K", "32"),
          ((LOOP, RETURN, "    if BLOCK_K == 32:\n"
                          "        tl.store(a_ptr + (1 << 40), 0.0)\n" + RETURN),),
          "runtime", ("illegal",), True),
    Fault("never ends", ("BLOCK_K", "128"),
          ((LOOP, RETURN, "    if BLOCK_K == 128:\n"
                          "        bound = tl.load(a_ptr, volatile=True).to(tl.float32)\n"
                          "        while bound < 1e30:\n"
                          "            bound = tl.load(a_ptr, volatile=True).to(tl.float32)\n"
            + RETURN),),
          "timeout", ("deadline", "after", "within", "end"), True),
    Fault("too much shared memory", ("BLOCK_K", "256"),
          # The worker would stop it, and the runner is to be tested.
          ((WORKER, "if limit and metadata", "if False and metadata"),
           (LOOP, RANGE, "    for k in tl.range(0, (K - 1) // BLOCK_K + 1,\n"
                         "                      num_stages=32 if BLOCK_K == 256 else None):")),
          "runtime", ("shared",), False),
    Fault("wrong numbers", ("BLOCK_M", "64"),
          ((LOOP, RETURN, "    if BLOCK_M == 64:\n        acc += 0.01\n" + RETURN),),
          "correctness", ("error", "tolerance", "wrong"), False),
)


def pause_after(result: Broken, outcome: str) -> float:
    """The longest time in seconds from a trial with the fault to the next one of its round."""
    trials = result.named("trial")
    moments = [datetime.fromisoformat(event["at"].replace("Z", "+00:00")) for event in trials]
    pauses = [(after - at).total_seconds()
              for event, following, at, after in zip(trials, trials[1:], moments, moments[1:])
              if event["outcome"] == outcome and event["round"] == following["round"]]
    return max(pauses, default=0.0)


def run_fault(fault: Fault, options: argparse.Namespace, folder: Path) -> list[str]:
    """One session with the fault; prints its line of the table, gives what is wrong."""
    package = copy_package(find_croq(options.croq), folder / "package")
    fault.inject(package)
    began = time.monotonic()
    result = run_broken(package, folder / "out",
                        [options.shape, "--device", options.device, "--strategy", "random",
                         "--rounds", "2", "--trials", str(options.trials), "--seed", "3"],
                        seconds=options.seconds)
    lever, value = fault.lever
    hit = [row for row in result.trials() if levers(row["config"])[lever] == value]
    problems = result.problems + blame(result, hit, fault.outcome, list(fault.words), log=False)
    restarts = int(result.finished().get("runner_restarts", 0))
    if fault.restarts and restarts < 1:
        problems.append("the runner was not restarted")
    if not fault.restarts and restarts > 0:
        problems.append(f"the runner was restarted {restarts} times for what is no fault of its own")
    others = {row["outcome"] for row in result.trials() if row not in hit}
    if "correct" not in others:
        problems.append(f"no other trial was correct: {sorted(others)}")
    said = next((f"{row['outcome']}: {row['reason']}" for row in hit), "nothing")
    print(f"{fault.name:24}{len(hit):4}/{len(result.trials()):<5}{restarts:8}"
          f"{pause_after(result, fault.outcome):8.1f}{time.monotonic() - began:8.0f}"
          f"{str(result.code):>6}  {'FAILED' if problems else 'ok':7} {said[:100]}", flush=True)
    return problems


def has_gpu() -> bool:
    """Whether there is an NVIDIA GPU here."""
    if any(Path("/dev").glob("nvidia[0-9]*")):
        return True
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return listed.stdout.startswith("GPU")


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--croq", help="the program (default: found from here)")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--shape", default=SHAPE)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=240, help="for one session at most")
    parser.add_argument("--only", action="append", choices=[fault.name for fault in FAULTS])
    parser.add_argument("--list", action="store_true", help="the faults' names, no run")
    return parser.parse_args(arguments)


def main() -> int:
    options = parse(sys.argv[1:])
    wanted = [fault for fault in FAULTS if not options.only or fault.name in options.only]
    if options.list:
        print("\n".join(fault.name for fault in wanted))
        return 0
    if not has_gpu() or not has_triton():
        print("skipped: no NVIDIA GPU, or no Python with Triton here")
        return SKIPPED
    print(f"{'fault':24}{'hit/trials':10}{'restarts':>7}{'pause s':>9}{'wall s':>8}{'exit':>6}"
          "  result  what croq said")
    problems: list[str] = []
    for fault in wanted:
        with tempfile.TemporaryDirectory(prefix="croq-fault-") as folder:
            problems += [f"{fault.name}: {text}"
                         for text in run_fault(fault, options, Path(folder))]
    for text in problems:
        print(f"WRONG: {text}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
