"""Does a long session stay flat? Replays 10,000 trials of a made-up recording and prints, for each
thousand, the wall time, croq's resident memory and the journal's size.

    python3 bench/replay_growth.py [--croq PATH] [--trials N] [--strategy NAME]

The recording is synthetic (20,160 configurations, times from a formula): what is measured is croq's
own work, search, pipeline, journal and events together, with no compiler and no GPU to wait for.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KEY = "matmul_f16fp32_4096x4096x4096"
LEVERS = [["BLOCK_M", [16, 32, 64, 128, 256]], ["BLOCK_N", [32, 64, 128, 256]],
          ["BLOCK_K", [32, 64, 128, 256]], ["GROUP_M", [1, 2, 4, 8, 16, 32]],
          ["num_warps", [4, 8, 16]], ["num_stages", [1, 2, 3, 4, 5, 6, 7]],
          ["EPILOGUE_SPLIT", [1, 2]]]
DEVICE = {"key": "sm90_synthetic", "name": "synthetic", "compute_capability": 90, "sm_count": 132,
          "shared_bytes_per_block": 232448, "shared_bytes_per_sm": 233472,
          "registers_per_sm": 65536, "l2_bytes": 62914560, "memory_bytes": 150000000000,
          "peak_tflops_f16": 989.0, "peak_tflops_tf32": 495.0, "peak_tflops_f32": 67.0,
          "memory_gb_per_s": 4800.0, "driver_version": 0}
COMPILE_MS, MEASURE_MS = 400.0, 20.0


def write_recording(path: Path) -> None:
    """Every configuration of one variant; the best tile is 128 x 256 x 64."""
    header = {"format": "croq-recording", "version": 1, "shape_key": KEY, "device": DEVICE,
              "triton": "none", "date": "2026-01-01", "cublas_ms": 0.2, "whole": True,
              "trials": math.prod(len(values) for _, values in LEVERS),
              "space": [{"variant": "tiled", "levers": LEVERS}], "row": []}
    best = [3, 3, 1, 3, 1, 2, 0]
    with path.open("w") as file:
        file.write(json.dumps(header) + "\n")
        for places in itertools.product(*(range(len(values)) for _, values in LEVERS)):
            distance = sum(abs(a - b) for a, b in zip(places, best))
            row = [[0, *places], "correct", round(0.18 * 1.12 ** distance, 4), COMPILE_MS,
                   MEASURE_MS]
            file.write(json.dumps(row) + "\n")


def resident_mib(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--croq", default="build/release/croq")
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--strategy", default="hybrid")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "synthetic.jsonl"
        write_recording(recording)
        child = subprocess.Popen(
            [arguments.croq, "tune", KEY, "--device", f"replay:{recording}", "--trials",
             str(arguments.trials), "--strategy", arguments.strategy, "--seed", "1", "--json",
             "--out", folder], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        began = last = time.monotonic()
        trials = 0
        thousands: list[tuple[float, float]] = []
        charged = 0.0
        for line in child.stdout:
            if '"event":"trial"' in line:
                trials += 1
                if trials % 1000 == 0:
                    now = time.monotonic()
                    thousands.append((now - last, resident_mib(child.pid)))
                    last = now
                    print(f"{trials:6} trials: {thousands[-1][0]:6.3f} s for the last thousand, "
                          f"{thousands[-1][1]:6.1f} MiB resident", flush=True)
            elif '"event":"finished"' in line:
                charged = json.loads(line)["charged_seconds"]
        code = child.wait()
        wall = time.monotonic() - began
        journals = sum(path.stat().st_size for path in Path(folder).rglob("journal.db*"))
    if code != 0 or len(thousands) < 2:
        print(f"croq ended with {code} after {trials} trials", file=sys.stderr)
        return 1
    print(f"tenth thousand over first: {thousands[-1][0] / thousands[0][0]:.2f} of the time")
    grown = (thousands[-1][1] - thousands[0][1]) * 2**20 / (trials - 1000)
    print(f"memory grown since the first thousand: {grown:.0f} bytes a trial")
    print(f"journal: {journals / trials:.0f} bytes a trial")
    print(f"croq's own {wall:.2f} s stand beside {charged:.0f} s that so many trials take "
          f"({COMPILE_MS:.0f} ms to compile on 16 workers, {MEASURE_MS:.0f} ms to measure): "
          f"{100 * wall / charged:.2f}%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
