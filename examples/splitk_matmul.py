"""A matmul with few tiles and a long K: SPLIT_K programs share a tile, a second kernel adds their
parts up. Tune it: croq tune examples/splitk_matmul.py"""

import torch
import triton
import triton.language as tl

# SPLIT_K is read by the launcher, which needs the memory for the parts: a module constant, so its
# values stand in "levers". The tiles' levers come from the autotuner.
CROQ = {
    "entry": "splitk_matmul",
    "operator": "splitk_matmul",
    "dtype": "f16fp32",
    "dims": {"M": 256, "N": 1024, "K": 16384},
    "inputs": {
        "a": {"shape": ["M", "K"], "dtype": "float16", "distribution": ["normal", 0, "0.5 * K**-0.25"]},
        "b": {"shape": ["K", "N"], "dtype": "float16", "distribution": ["normal", 0, "0.5 * K**-0.25"]},
    },
    "outputs": {"c": {"shape": ["M", "N"], "dtype": "float16"}},
    "reference": "matmul_reference",
    "flops": "2*M*N*K",
    "bytes": "2*(M*K + K*N + M*N)",
    "levers": {"SPLIT_K": [1, 2, 4, 8, 16], "BLOCK_R": [256, 512, 1024]},
}

SPLIT_K = 4
BLOCK_R = 1024


def matmul_reference(a, b):
    return torch.matmul(a, b)


@triton.autotune(
    configs=[
        triton.Config({"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64}, num_warps=4, num_stages=3),
        triton.Config({"BLOCK_M": 64, "BLOCK_N": 128, "BLOCK_K": 64}, num_warps=4, num_stages=4),
        triton.Config({"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 64}, num_warps=4, num_stages=4),
        triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64}, num_warps=8, num_stages=3),
        triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 32}, num_warps=8, num_stages=5),
    ],
    key=["M", "N", "K"],
)
@triton.jit
def partial_kernel(a_ptr, b_ptr, parts_ptr, M, N, K, K_PER_SPLIT,
                   BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    tiles_n = tl.cdiv(N, BLOCK_N)
    m = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    split = tl.program_id(1)
    k = split * K_PER_SPLIT + tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (m % M)[:, None].to(tl.int64) * K + k[None, :]
    b_ptrs = b_ptr + k[:, None].to(tl.int64) * N + (n % N)[None, :]
    end = min((split + 1) * K_PER_SPLIT, K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(split * K_PER_SPLIT, end, BLOCK_K):
        left = end - start
        a = tl.load(a_ptrs, mask=tl.arange(0, BLOCK_K)[None, :] < left, other=0.0)
        b = tl.load(b_ptrs, mask=tl.arange(0, BLOCK_K)[:, None] < left, other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * N
    place = split.to(tl.int64) * M * N + m[:, None].to(tl.int64) * N + n[None, :]
    tl.store(parts_ptr + place, sums, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def reduce_kernel(parts_ptr, c_ptr, COUNT, SPLITS: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = place < COUNT
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for split in tl.static_range(SPLITS):
        total += tl.load(parts_ptr + split * COUNT + place, mask=inside, other=0.0)
    tl.store(c_ptr + place, total.to(tl.float16), mask=inside)


def splitk_matmul(a, b):
    M, K = a.shape
    N = b.shape[1]
    c = torch.empty((M, N), dtype=torch.float16, device=a.device)
    parts = torch.empty((SPLIT_K, M, N), dtype=torch.float32, device=a.device)
    partial_kernel[lambda meta: (triton.cdiv(M, meta["BLOCK_M"]) * triton.cdiv(N, meta["BLOCK_N"]),
                                 SPLIT_K)](a, b, parts, M, N, K, triton.cdiv(K, SPLIT_K))
    reduce_kernel[(triton.cdiv(M * N, BLOCK_R),)](parts, c, M * N, SPLITS=SPLIT_K, BLOCK=BLOCK_R)
    return c
