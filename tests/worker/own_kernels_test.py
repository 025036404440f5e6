"""croq's own kernels do what torch does, in Triton's interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
import unittest

from worker_client import ROOT

PROGRAM = """
import torch
from croq_worker import own_kernels

torch.manual_seed(1)
cases = [(x := torch.arange(60, dtype=torch.int32).reshape(3, 4, 5)).permute(2, 0, 1),
         x.permute(1, 2, 0)[:, 1:4], torch.randn(70, 33).t(), torch.randn(1, 9)[:, ::3],
         torch.randn(6).expand(4, 6), (torch.rand(5, 7) > 0.5).t(),
         torch.randn(2, 3, 2, 3, 2, 3).to(torch.bfloat16).permute(5, 3, 1, 0, 2, 4),
         torch.randn(3, 500).double().t()]
for number, source in enumerate(cases):
    target = torch.full_like(torch.empty(source.shape, dtype=source.dtype), 7)
    assert own_kernels.copy_strided(target, source), number
    assert torch.equal(target, source), number
    inside = torch.zeros(tuple(2 * n for n in source.shape), dtype=source.dtype)
    window = inside[tuple(slice(0, None, 2) for _ in source.shape)]
    assert own_kernels.copy_strided(window, source), number
    assert torch.equal(window, source), number
    assert (inside != 0).sum() == (source != 0).sum(), number
assert not own_kernels.copy_strided(torch.zeros(2, 2, dtype=torch.complex128),
                                    torch.zeros(2, 2, dtype=torch.complex128).t())
assert own_kernels.joined((2, 3, 4), (12, 4, 1), (12, 4, 1)) == [(24, 1, 1)]
print("all", len(cases))
"""


class OwnKernels(unittest.TestCase):
    def test_strided_copies_of_every_rank_and_element(self) -> None:
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300,
            check=False, env=dict(os.environ, TRITON_INTERPRET="1",
                                  PYTHONPATH=str(ROOT / "python")))
        self.assertEqual((ran.returncode, ran.stdout.strip()), (0, "all 8"), ran.stderr)


if __name__ == "__main__":
    unittest.main()
