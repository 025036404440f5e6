"""A brought file: a split-K matmul whose partial sums lie in scratch and are added up by a second
kernel."""

import torch
import triton
import triton.language as tl

BLOCK_M = 32
BLOCK_N = 32
BLOCK_K = 32
SPLITS = 4


@triton.jit
def partial_kernel(a_ptr, b_ptr, p_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                   BLOCK_K: tl.constexpr, SPLITS: tl.constexpr):
    tile_m, tile_n, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(split * BLOCK_K, K, SPLITS * BLOCK_K):
        ks = k + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + rows[:, None] * K + ks[None, :],
                    mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(b_ptr + ks[:, None] * N + columns[None, :],
                    mask=(ks[:, None] < K) & (columns[None, :] < N), other=0.0)
        total = tl.dot(a, b, total)
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(p_ptr + split * M * N + rows[:, None] * N + columns[None, :], total, mask=inside)


@triton.jit
def reduce_kernel(p_ptr, c_ptr, size, SPLITS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for split in range(SPLITS):
        total += tl.load(p_ptr + split * size + at, mask=at < size, other=0.0)
    tl.store(c_ptr + at, total.to(c_ptr.dtype.element_ty), mask=at < size)


def grid(meta):
    return (triton.cdiv(meta["M"], meta["BLOCK_M"]), triton.cdiv(meta["N"], meta["BLOCK_N"]),
            meta["SPLITS"])


def splitk(a, b):
    (m, k), n = a.shape, b.shape[1]
    partial = torch.empty((SPLITS, m, n), dtype=torch.float32, device=a.device)
    c = torch.empty((m, n), dtype=a.dtype, device=a.device)
    partial_kernel[grid](a, b, partial, m, n, k, BLOCK_M, BLOCK_N, BLOCK_K, SPLITS)
    reduce_kernel[(triton.cdiv(m * n, 256),)](partial, c, m * n, SPLITS, BLOCK=256)
    return c


def splitk_reference(a, b):
    return a @ b
