"""Does tuning keep the compiler and the GPU busy? Runs `croq tune` once and prints trials a second
beside what the compile workers and the GPU could do at most, and where the time went.

    python3 bench/throughput.py KEY... [--croq PATH] [--trials N] [--device DEVICE]

All figures are of one run: the compile limit is the workers over the mean time of a build, the GPU
limit the trials over the time in which a candidate was loaded, checked and timed. Builds go on while
iterations are closed (duels, scripts, profiles), so that screening alone can pass the compile limit;
the rate of the whole run can't, but for what was built before its clock started.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile

PARTS = (("propose", "search, constraints, rendering"), ("load", "load: cubins to the device"),
         ("check", "check: a launch and the comparison"), ("time", "time: the timed launches"),
         ("protocol", "the runner's protocol"), ("record", "journal, events, learning"),
         ("wait", "idle: nothing was built yet"))


def finished(arguments: argparse.Namespace, key: str) -> dict:
    """The last event of a session of its own."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [arguments.croq, "tune", key, "--device", arguments.device, "--trials",
             str(arguments.trials), "--json", "--out", folder],
            stdout=subprocess.PIPE, text=True, check=False)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events or events[-1]["event"] != "finished":
        raise SystemExit(f"throughput: croq tune {key} ended with {done.returncode}")
    return events[-1]


def report(key: str, end: dict) -> None:
    account = end["account"]
    steps = account["load"] + account["check"] + account["time"]
    account["protocol"] = account["judge"] - steps
    trials, wall = end["trials"], account["wall"]
    achieved = trials / wall
    compile_limit = end["workers"] * account["built"] / account["compile"]
    gpu_limit = trials / account["judge"] if account["judge"] > 0 else float("inf")
    limit = min(compile_limit, gpu_limit)
    whole = trials / end["wall_seconds"]
    print(f"{key}: {trials} trials in {wall:.1f} s of screening, {achieved:.1f} a second: "
          f"{100 * achieved / limit:.0f}% of the lesser limit; {whole:.1f} a second of the whole "
          f"{end['wall_seconds']:.1f} s: {100 * whole / limit:.0f}%")
    print(f"  limits: compile {compile_limit:.1f} a second ({end['workers']} workers, "
          f"{1000 * account['compile'] / account['built']:.0f} ms a build), "
          f"GPU {gpu_limit:.1f} a second ({account['judged']} judged, the rest failed or equal; "
          f"{account['shared']} compile jobs were answered by an equal one)")
    for part, meaning in PARTS:
        print(f"  {100 * account[part] / wall:5.1f}%  {meaning}")
    rest = wall - sum(account[part] for part, _ in PARTS)
    print(f"  {100 * rest / wall:5.1f}%  the loop itself")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("keys", nargs="+", metavar="KEY")
    parser.add_argument("--croq", default="build/release/croq")
    parser.add_argument("--trials", type=int, default=600)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    for key in arguments.keys:
        report(key, finished(arguments, key))
    return 0


if __name__ == "__main__":
    sys.exit(main())
