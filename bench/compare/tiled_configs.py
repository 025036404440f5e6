"""The 72 configurations that @triton.autotune gets, of croq's tiled space. Pure.

What a careful person writes by hand: tiles from 64x64 to 256x128 with the warps that suit them, and
pipelines that fit Hopper's shared memory; for a few rows of C tiles as flat as that, with deeper
steps. No configuration fails for want of memory, so none is wasted.
"""

from __future__ import annotations

from dataclasses import dataclass

from .cases import Case

COUNT = 72
FEW_ROWS = 64

_SHARED_BYTES = 227 * 1024

# BLOCK_M, BLOCK_N, warps.
_TILES = ((128, 256, 8), (256, 128, 8), (128, 128, 8), (128, 128, 4), (64, 256, 4), (256, 64, 4),
          (128, 64, 4), (64, 128, 4), (64, 64, 4))
# BLOCK_K in bytes of a row, stages.
_STEPS = ((64, 4), (128, 3), (128, 4), (256, 2))
_GROUPS = (4, 8)

_FLAT_COLUMNS = (32, 64, 128)
_FLAT_WARPS = (2, 4, 8)
_FLAT_STEPS = ((128, 3), (128, 4), (128, 5), (128, 6), (256, 2), (256, 3), (256, 4), (512, 2))


@dataclass(frozen=True)
class TileConfig:
    """One configuration of the tiled kernel."""

    block_m: int
    block_n: int
    block_k: int
    group_m: int
    num_warps: int
    num_stages: int

    def shared_bytes(self, element: int) -> int:
        """What the pipeline's buffers of A and B take."""
        return (self.block_m + self.block_n) * self.block_k * element * self.num_stages


def configurations(case: Case, element: int) -> list[TileConfig]:
    """72 of them for a case whose elements have that many bytes."""
    if case.m <= FEW_ROWS:
        rows = 16
        while rows < case.m:
            rows *= 2
        found = [TileConfig(rows, columns, step // element, 8, warps, stages)
                 for columns in _FLAT_COLUMNS for warps in _FLAT_WARPS
                 for step, stages in _FLAT_STEPS]
    else:
        found = [TileConfig(rows, columns, step // element, group, warps, stages)
                 for rows, columns, warps in _TILES for step, stages in _STEPS
                 for group in _GROUPS]
    assert len(found) == COUNT
    assert all(config.shared_bytes(element) <= _SHARED_BYTES for config in found)
    return found
