"""croq's tiled structure under @triton.autotune: one program a tile of C, pointer loads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import triton
import triton.language as tl


@triton.jit
def tiled_matmul(a_ptr, b_ptr, c_ptr, scale_a_ptr, scale_b_ptr, M, N, K,
                 stride_a: tl.int64, stride_b: tl.int64, stride_c: tl.int64,
                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                 TRANSPOSED: tl.constexpr, GROUP_M: tl.constexpr, SCALED: tl.constexpr,
                 PRECISION: tl.constexpr,
                 EVEN_M: tl.constexpr, EVEN_N: tl.constexpr, EVEN_K: tl.constexpr):
    """C = A B; TRANSPOSED: B is stored as [N, K]. Tiles are walked in groups of GROUP_M rows,
    column by column, for reuse in L2."""
    tile = tl.program_id(0)
    tiles_m = (M - 1) // BLOCK_M + 1
    tiles_n = (N - 1) // BLOCK_N + 1
    width = GROUP_M * tiles_n
    first = tile // width * GROUP_M
    size = min(tiles_m - first, GROUP_M)
    rows = (first + tile % width % size) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tile % width // size * BLOCK_N + tl.arange(0, BLOCK_N)
    # Rows and columns past the edge wrap round: they are read but never written.
    rows_in = rows if EVEN_M else rows % M
    columns_in = columns if EVEN_N else columns % N
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows_in[:, None] * stride_a + offs_k[None, :]
    if TRANSPOSED:
        b_ptrs = b_ptr + offs_k[:, None] + columns_in[None, :] * stride_b
    else:
        b_ptrs = b_ptr + offs_k[:, None] * stride_b + columns_in[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, (K - 1) // BLOCK_K + 1):
        if EVEN_K:
            a = tl.load(a_ptrs)
            b = tl.load(b_ptrs)
        else:
            rest = K - k * BLOCK_K
            a = tl.load(a_ptrs, mask=offs_k[None, :] < rest, other=0.0)
            b = tl.load(b_ptrs, mask=offs_k[:, None] < rest, other=0.0)
        acc = tl.dot(a, b, acc, input_precision=PRECISION)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K if TRANSPOSED else BLOCK_K * stride_b
    if SCALED:
        acc = acc * (tl.load(scale_a_ptr) * tl.load(scale_b_ptr))
    c_ptrs = c_ptr + rows[:, None] * stride_c + columns[None, :]
    c = acc.to(c_ptr.dtype.element_ty)
    if EVEN_M and EVEN_N:
        tl.store(c_ptrs, c)
    else:
        tl.store(c_ptrs, c, mask=(rows[:, None] < M) & (columns[None, :] < N))


def autotuned(configs: Sequence[triton.Config]) -> Any:
    """The kernel with Triton's autotuner before it, in its default settings."""
    even = triton.heuristics({
        "EVEN_M": lambda args: args["M"] % args["BLOCK_M"] == 0,
        "EVEN_N": lambda args: args["N"] % args["BLOCK_N"] == 0,
        "EVEN_K": lambda args: args["K"] % args["BLOCK_K"] == 0})
    return triton.autotune(configs=list(configs), key=["M", "N", "K"])(even(tiled_matmul))
