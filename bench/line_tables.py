"""Are compiles faster without line tables? Compiles the same kernels with, without and with them
again, in one compile worker, and prints the three sums.

    build/release/operators_dump_candidates "$PWD/FOLDER" 60 1 matmul_nt_f16fp32_4096x4096x4096
    .venv/bin/python bench/line_tables.py FOLDER

FOLDER must exist and have been given whole. The first compile of each worker, which loads Triton,
is not counted.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "worker"), str(ROOT / "python")]
from worker_client import Worker  # noqa: E402 (needs the paths above)


def seconds(requests: list[dict], lines: bool) -> list[float | None]:
    """Of each compile; None where it failed."""
    with Worker("compile") as worker:
        worker.ask({**requests[0], "line_info": lines})
        found: list[float | None] = []
        for request in requests:
            began = time.perf_counter()
            reply = worker.ask({**request, "line_info": lines})
            found.append(time.perf_counter() - began if reply.get("ok") else None)
    return found


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    cases = json.loads((Path(sys.argv[1]) / "cases.json").read_text())
    requests = [request for case in cases for request in case["compile"]]
    runs = [seconds(requests, lines) for lines in (True, False, True)]
    times = [run for run in zip(*runs) if None not in run]
    if not times:
        print("line_tables: nothing compiled; was the folder given whole?", file=sys.stderr)
        return 1
    with_them, without, again = (sum(column) for column in zip(*times))
    ratio = statistics.median(2 * two / (one + three) for one, two, three in times)
    print(f"{len(times)} compiles: {with_them:.1f} s with line tables, {without:.1f} s without, "
          f"{again:.1f} s with them again; median of without over with {ratio:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
