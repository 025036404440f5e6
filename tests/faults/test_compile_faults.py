"""Compile workers that abort or flood, a ptxas that hangs: the session goes on and says so.

Run on the real binary, without a GPU unless CROQ_TEST_DEVICE names one (cuda:0); the faults are in
a copy of the package.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from croq_run import find_croq, has_triton, interpreter

from fault_run import Broken, blame, levers, run_broken
from package_copy import Package, copy_package

DEVICE = os.environ.get("CROQ_TEST_DEVICE", "offline:sm90")
SHAPE = "matmul_f16fp32_256x256x256"
WORKER = "python/croq_worker/compile_worker.py"
#: Where a worker has its request and has not compiled it yet.
HOOK = "        request = CompileRequest.decode(message)\n"
#: Hits a configuration, on every worker: this one is to blame.
ILL = 'any(p["name"] == "GROUP_M" and p["value"]["value"] == 4 for p in message["parameters"])'

ABORT = f"""        import os
        if (self._jobs + 1) % 5 == 0 or {ILL}:
            os.abort()
"""
FLOOD = f"""        import os
        if {ILL} or self._jobs % 3 == 2:
            for _ in range(200):
                os.write(1, b"flood " * 170 * 1024)
        if {ILL}:
            raise RuntimeError("flooded")
"""
#: The ninth call and those before it are left alone: the pool learns its deadline from them. Of the
#: others every seventh sleeps, in turn for ever on this PTX and just this once.
PTXAS = """#!/bin/sh
ptx=
for word in "$@"; do
  case "$word" in
    --version) exec "{real}" "$@" ;;
    *.ptx) ptx=$word ;;
  esac
done
cd "{state}" || exit 1
number=$(sha256sum < "$ptx" | cut -c1-64)
echo "$number" >> calls
count=$(wc -l < calls)
if [ "$count" -gt 9 ]; then
  case $((count % 14)) in
    10) echo "$number" >> sick ;;
    3) echo "$number" >> hiccups; sleep 100000 ;;
  esac
fi
if grep -q "$number" sick 2>/dev/null; then sleep 100000; fi
exec "{real}" "$@"
"""


def real_ptxas() -> Path | None:
    """The ptxas in the interpreter's Triton."""
    code = "import triton, os; print(os.path.dirname(triton.__file__))"
    done = subprocess.run([interpreter() or "python3", "-c", code], capture_output=True, text=True,
                          check=False)
    path = Path(done.stdout.strip()) / "backends/nvidia/bin/ptxas"
    return path if path.exists() else None


@unittest.skipUnless(has_triton(), "no Python with Triton here; CROQ_PYTHON names one")
class CompileFaults(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="croq faults ")
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.package: Package = copy_package(find_croq(None), self.scratch / "package")

    def tune(self, trials: int, env: dict[str, str] | None = None) -> Broken:
        """A session of two rounds."""
        result = run_broken(self.package, self.scratch / "out",
                            [SHAPE, "--device", DEVICE, "--rounds", "2", "--trials",
                             str(trials), "--strategy", "random", "--workers", "2", "--seed",
                             "5"], env)
        self.assertEqual(result.problems, [])
        return result

    def assert_blamed(self, result: Broken, outcome: str, words: list[str]) -> None:
        """Only the configurations with GROUP_M=4 failed, each with reason and log."""
        ill = [row for row in result.trials() if levers(row["config"])["GROUP_M"] == "4"]
        self.assertEqual(blame(result, ill, outcome, words, log=True), [])
        well = [row for row in result.trials() if row not in ill]
        self.assertGreater(len(well), 4)
        self.assertEqual({row["outcome"] for row in well}, {"correct"})

    def test_worker_that_aborts(self) -> None:
        self.package.replace(WORKER, HOOK, HOOK + ABORT)
        result = self.tune(24)
        self.assert_blamed(result, "compile", ["sigabrt"])

    def test_worker_that_floods_its_output(self) -> None:
        self.package.replace(WORKER, HOOK, HOOK + FLOOD)
        result = self.tune(20)
        self.assert_blamed(result, "compile", ["flooded"])
        logs = [Path(row["log"]) for row in result.trials("compile")]
        for log in logs:
            self.assertLess(log.stat().st_size, 1 << 20, "a log has a cap")
        kept = sum(path.stat().st_size for path in result.out.rglob("*") if path.is_file())
        self.assertLess(kept, 100 << 20, "what was printed is not kept")
        self.assertLess(result.peak_mib, 300, "what was printed is not held in memory")

    def test_ptxas_that_hangs(self) -> None:
        real = real_ptxas()
        if real is None:
            self.skipTest("this Triton has no ptxas of its own")
        state = self.scratch / "state"
        state.mkdir()
        wrapper = self.scratch / "ptxas"
        wrapper.write_text(PTXAS.format(real=real, state=state), encoding="utf-8")
        wrapper.chmod(0o755)
        result = self.tune(26, {"TRITON_PTXAS_PATH": str(wrapper)})
        hung = result.trials("timeout")
        self.assertEqual(blame(result, hung, "timeout", ["second, fresh worker"], log=True), [])
        sick = set((state / "sick").read_text(encoding="utf-8").split())
        self.assertLessEqual(len(hung), len(sick))
        others = [row for row in result.trials() if row not in hung]
        self.assertEqual({row["outcome"] for row in others}, {"correct"})
        self.assertTrue((state / "hiccups").exists(), "no job hung just once")


if __name__ == "__main__":
    unittest.main()
