"""A split-K matmul: torch.zeros makes the workspace, a second kernel rounds it into C."""

import torch
import triton
import triton.language as tl

BLOCK_M = BLOCK_N = 64
BLOCK_K = 32
SPLIT_K = 4


@triton.jit
def partial(a_ptr, b_ptr, w_ptr, shape, strides, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
            BLOCK_K: tl.constexpr, SPLIT_K: tl.constexpr):
    M, N, K = shape
    stride_a, stride_b = strides
    rm = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    rk = tl.program_id(2) * BLOCK_K + tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K * SPLIT_K)):
        x = tl.load(a_ptr + (rm % M)[:, None] * stride_a + rk[None, :], mask=rk[None, :] < K,
                    other=0.0)
        y = tl.load(b_ptr + rk[:, None] * stride_b + (rn % N)[None, :], mask=rk[:, None] < K,
                    other=0.0)
        acc = tl.dot(x, y, acc)
        rk += BLOCK_K * SPLIT_K
    tl.atomic_add(w_ptr + rm[:, None] * N + rn[None, :], acc,
                  mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def finish(w_ptr, c_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c_ptr + at, tl.load(w_ptr + at, mask=at < count).to(c_ptr.dtype.element_ty),
             mask=at < count)


def kernel_fn(a, b, c=None):
    M, K = a.shape
    N = b.shape[1]
    if c is None:
        c = a.new_empty((M, N))
    work = torch.zeros((M, N), device=a.device, dtype=torch.float32)
    partial[triton.cdiv(M, BLOCK_M), triton.cdiv(N, BLOCK_N), SPLIT_K](
        a, b, work, (M, N, K), (a.stride(0), b.stride(0)), BLOCK_M, BLOCK_N, BLOCK_K, SPLIT_K)
    finish[lambda meta: (triton.cdiv(M * N, meta["BLOCK"]),)](work, c, M * N, BLOCK=1024)
    return c
