"""Kernels that Triton 3.6's own passes fail on."""

import triton
import triton.language as tl


@triton.jit
def host_descriptors(a_desc, b_desc, c_desc, M, N, K, BLOCK_M: tl.constexpr,
                     BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    tiles_n = tl.cdiv(N, BLOCK_N)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BLOCK_M) * tiles_n, 132,
                         warp_specialize=True):
        row = tile // tiles_n * BLOCK_M
        column = tile % tiles_n * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for k in range(0, tl.cdiv(K, BLOCK_K)):
            acc = tl.dot(a_desc.load([row, k * BLOCK_K]), b_desc.load([k * BLOCK_K, column]), acc)
        c_desc.store([row, column], acc.to(tl.float16))


@triton.jit
def pointer_loads(a_ptr, b_ptr, c_ptr, K, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for tile in tl.range(tl.program_id(0), 64, 132, warp_specialize=True):
        acc = tl.zeros((BLOCK, BLOCK), tl.float32)
        for k in range(0, tl.cdiv(K, BLOCK)):
            x = tl.load(a_ptr + at[:, None] * K + at[None, :] + k * BLOCK)
            y = tl.load(b_ptr + at[:, None] * K + at[None, :] + k * BLOCK)
            acc = tl.dot(x, y, acc)
        tl.store(c_ptr + at[:, None] * K + at[None, :] + tile, acc.to(tl.float16))
