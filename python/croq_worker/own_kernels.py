"""Kernels that stand in a plan for what torch's own kernels do.

A plan names them `croq:<function>`, and they are compiled from this file. They do the work as
torch does it, element by element in the order of the target's memory; how long they take is close to
torch's time, not the same.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, Sequence

import torch
import triton
import triton.language as tl

_BLOCK = 1024
#: Dimensions that one launch walks, once those that lie behind one another are joined.
_RANK = 4
#: Launches that a copy of more dimensions becomes, at most.
_MAX_LAUNCHES = 1024
_UNSIGNED = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@triton.jit
def strided_copy(source, target, count, size1, size2, size3, source0, source1, source2, source3,
                 target0, target1, target2, target3, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    if WIDE:
        block = block.to(tl.int64)
    at = block * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    rest2 = at // size3
    rest1 = rest2 // size2
    index0 = (rest1 // size1).to(tl.int64)
    index1 = (rest1 % size1).to(tl.int64)
    index2 = (rest2 % size2).to(tl.int64)
    index3 = (at % size3).to(tl.int64)
    origin = source + index0 * source0 + index1 * source1 + index2 * source2 + index3 * source3
    place = target + index0 * target0 + index1 * target1 + index2 * target2 + index3 * target3
    tl.store(place, tl.load(origin, mask=inside), mask=inside)


def joined(size: Sequence[int], target: Sequence[int],
           source: Sequence[int]) -> list[tuple[int, int, int]]:
    """(size, target stride, source stride) of the fewest dimensions that walk the same elements, the
    one that is closest in the target last."""
    dims = sorted(((n, t, s) for n, t, s in zip(size, target, source) if n != 1),
                  key=lambda dim: -dim[1])
    result: list[tuple[int, int, int]] = []
    for n, t, s in dims:
        if result and result[-1][1] == n * t and result[-1][2] == n * s:
            result[-1] = (result[-1][0] * n, t, s)
        else:
            result.append((n, t, s))
    return result


def copy_strided(target: torch.Tensor, source: torch.Tensor) -> bool:
    """Launches what copies `source` to `target`, of the same size and element type. False where
    there is no such kernel."""
    element = _UNSIGNED.get(target.element_size())
    if element is None:
        return False
    dims = joined(tuple(target.size()), target.stride(), source.stride())
    outer, inner = dims[:-_RANK], dims[-_RANK:]
    if math.prod(n for n, _, _ in outer) > _MAX_LAUNCHES:
        return False
    inner = [(1, 0, 0)] * (_RANK - len(inner)) + inner
    count = math.prod(n for n, _, _ in inner)
    to, origin = target.view(element), source.view(element)
    for index in itertools.product(*(range(n) for n, _, _ in outer)):
        _launch(_moved(origin, sum(i * s for i, (_, _, s) in zip(index, outer))),
                _moved(to, sum(i * t for i, (_, t, _) in zip(index, outer))), count, inner)
    return True


def _moved(tensor: torch.Tensor, offset: int) -> torch.Tensor:
    return tensor.as_strided((1,), (1,), tensor.storage_offset() + offset)


def _launch(source: torch.Tensor, target: torch.Tensor, count: int,
            dims: list[tuple[int, int, int]]) -> None:
    sizes: list[Any] = [n for n, _, _ in dims[1:]]
    strides = [s for _, _, s in dims] + [t for _, t, _ in dims]
    strided_copy[(triton.cdiv(count, _BLOCK),)](
        source, target, count, *sizes, *strides, WIDE=count + _BLOCK > 2 ** 31, BLOCK=_BLOCK,
        num_warps=8)
