"""Triton matmul_f16fp32_200x1000x3000: K in parts, pointer loads.

Tiles of 128 x 128 x 64, 8 warps, 3 stages.
SPLIT_K programs share a tile of C: each multiplies its part of K and writes its sum as float32 to
a workspace [SPLIT_K, M, N]; a second kernel adds the parts, always in the same order, so equal
inputs give equal bits. For products with too few tiles to fill the GPU. Rows, columns and K need
not be multiples of the tile. kernel_fn multiplies any pair with a step of K for each part.
Run: python3 <this file>  (checks against float32, then times; needs a CUDA GPU)
"""
import torch
import triton
import triton.language as tl

# The problem: C[M, N] = A[M, K] @ B[K, N]; all row-major.
M, N, K = 200, 1000, 3000
DTYPE = torch.float16
TOLERANCE = 0.001  # on the largest absolute error against float32

# The configuration.
BLOCK_M = 128  # rows of C in one tile
BLOCK_N = 128  # columns of C in one tile
BLOCK_K = 64  # depth of one step of the inner loop
GROUP_M = 2  # rows of tiles walked together
SPLIT_K = 2  # parts of K, a program each
REDUCE_BLOCK = 1024  # elements of C that a program of the second kernel adds
NUM_WARPS = 8
NUM_STAGES = 3


@triton.jit
def grouped_order(tile, tiles_m, tiles_n, GROUP_M: tl.constexpr):
    """Row and column of a tile: GROUP_M rows of tiles are walked column by column, for L2 reuse."""
    width = GROUP_M * tiles_n
    first = tile // width * GROUP_M
    size = min(tiles_m - first, GROUP_M)
    return first + tile % width % size, tile % width // size


@triton.jit
def store_block(c_ptr, block, row, column, M, N, stride_c, EVEN: tl.constexpr):
    """Writes block to C with its top left corner at (row, column), clipped to M x N."""
    rows = row + tl.arange(0, block.shape[0])
    columns = column + tl.arange(0, block.shape[1])
    c_ptrs = c_ptr + rows[:, None] * stride_c + columns[None, :]
    if EVEN:
        tl.store(c_ptrs, block.to(c_ptr.dtype.element_ty))
    else:
        mask = (rows[:, None] < M) & (columns[None, :] < N)
        tl.store(c_ptrs, block.to(c_ptr.dtype.element_ty), mask=mask)


@triton.jit
def dot_tile(a_ptr, b_ptr, row, column, M, N, K, stride_a, stride_b,
             BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
             EVICT_A: tl.constexpr, EVICT_B: tl.constexpr,
             EVEN_M: tl.constexpr, EVEN_N: tl.constexpr, EVEN_K: tl.constexpr):
    """The BLOCK_M x BLOCK_N tile of A @ B at (row, column), in float32."""
    rows = row + tl.arange(0, BLOCK_M)
    columns = column + tl.arange(0, BLOCK_N)
    # Rows and columns past the edge wrap round: they are read but never written.
    if not EVEN_M:
        rows = rows % M
    if not EVEN_N:
        columns = columns % N
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None] * stride_a + offs_k[None, :]
    b_ptrs = b_ptr + offs_k[:, None] * stride_b + columns[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, (K - 1) // BLOCK_K + 1):
        if EVEN_K:
            a = tl.load(a_ptrs, eviction_policy=EVICT_A)
            b = tl.load(b_ptrs, eviction_policy=EVICT_B)
        else:
            rest = K - k * BLOCK_K
            a = tl.load(a_ptrs, mask=offs_k[None, :] < rest, other=0.0, eviction_policy=EVICT_A)
            b = tl.load(b_ptrs, mask=offs_k[:, None] < rest, other=0.0, eviction_policy=EVICT_B)
        acc = tl.dot(a, b, acc)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * stride_b
    return acc


@triton.jit
def matmul_kernel(a_ptr, b_ptr, parts_ptr, M, N, K,
                  stride_a: tl.int64, stride_b: tl.int64, stride_c: tl.int64,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                  GROUP_M: tl.constexpr, SPLIT_K: tl.constexpr,
                  EVEN_M: tl.constexpr, EVEN_N: tl.constexpr, EVEN_K: tl.constexpr):
    tiles_m = (M - 1) // BLOCK_M + 1
    tiles_n = (N - 1) // BLOCK_N + 1
    tile_m, tile_n = grouped_order(tl.program_id(0), tiles_m, tiles_n, GROUP_M)
    row = tile_m * BLOCK_M
    column = tile_n * BLOCK_N
    # Whole steps for each part; their numbers differ by one at most.
    part = tl.program_id(1)
    steps = (K - 1) // BLOCK_K + 1
    first = part * steps // SPLIT_K * BLOCK_K
    end = min((part + 1) * steps // SPLIT_K * BLOCK_K, K)
    acc = dot_tile(a_ptr + first, b_ptr + first * stride_b, row, column, M, N, end - first,
                   stride_a, stride_b, BLOCK_M, BLOCK_N, BLOCK_K, "", "", EVEN_M, EVEN_N, EVEN_K)
    store_block(parts_ptr + part * (M * stride_c), acc, row, column, M, N, stride_c,
                EVEN_M and EVEN_N)


@triton.jit
def reduce_kernel(parts_ptr, c_ptr, elements: tl.int64, SPLIT_K: tl.constexpr,
                  REDUCE_BLOCK: tl.constexpr):
    """C as the sum of its parts, added in the same order every time."""
    offsets = tl.program_id(0).to(tl.int64) * REDUCE_BLOCK + tl.arange(0, REDUCE_BLOCK)
    inside = offsets < elements
    total = tl.zeros((REDUCE_BLOCK,), dtype=tl.float32)
    for part in tl.static_range(SPLIT_K):
        total += tl.load(parts_ptr + part * elements + offsets, mask=inside, other=0.0)
    tl.store(c_ptr + offsets, total.to(c_ptr.dtype.element_ty), mask=inside)


def kernel_fn(a, b, c=None):
    """A @ B of row-major a [M, K] and b [K, N], written to c where it is given."""
    m, k = a.shape
    n = b.shape[1]
    assert b.shape == (k, n), f"b must be [{k}, N] beside a of {tuple(a.shape)}: {tuple(b.shape)}"
    assert a.dtype == DTYPE and b.dtype == DTYPE, f"a and b must be {DTYPE}: {a.dtype}, {b.dtype}"
    assert a.is_contiguous() and b.is_contiguous(), "a and b must be row-major and contiguous"
    if c is None:
        c = torch.empty((m, n), device=a.device, dtype=DTYPE)
    assert c.shape == (m, n) and c.dtype == DTYPE, f"c must be [{m}, {n}] of {DTYPE}"
    assert c.is_contiguous(), "c must be row-major and contiguous"
    assert k >= SPLIT_K * BLOCK_K, f"K={k} is too short for {SPLIT_K} parts of {BLOCK_K} or more"
    parts = torch.empty((SPLIT_K, m, n), device=a.device, dtype=torch.float32)
    grid = (triton.cdiv(m, BLOCK_M) * triton.cdiv(n, BLOCK_N), SPLIT_K)
    matmul_kernel[grid](a, b, parts, m, n, k, a.stride(0), b.stride(0), c.stride(0),
                        BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, GROUP_M=GROUP_M,
                        SPLIT_K=SPLIT_K, EVEN_M=m % BLOCK_M == 0, EVEN_N=n % BLOCK_N == 0,
                        EVEN_K=k % BLOCK_K == 0, num_warps=NUM_WARPS, num_stages=NUM_STAGES)
    reduce_kernel[(triton.cdiv(m * n, REDUCE_BLOCK),)](parts, c, m * n, SPLIT_K=SPLIT_K,
                                                       REDUCE_BLOCK=REDUCE_BLOCK, num_warps=4)
    return c


def make_inputs(seed, device="cuda"):
    """Normal A and B, scaled so that C has a standard deviation of 0.25 whatever K is."""
    generator = torch.Generator(device=device).manual_seed(seed)
    scale = (0.25 / K**0.5) ** 0.5
    a = torch.randn((M, K), generator=generator, device=device, dtype=DTYPE).mul_(scale)
    b = torch.randn((K, N), generator=generator, device=device, dtype=DTYPE).mul_(scale)
    return a, b


def reference(a, b):
    """The product in IEEE float32."""
    torch.backends.cuda.matmul.allow_tf32 = False
    return torch.matmul(a.to(torch.float32), b.to(torch.float32))


def verify():
    """Checks kernel_fn against the reference, prints the verdict and returns it."""
    a, b = make_inputs(seed=0)
    c = torch.full((M, N), float("nan"), device=a.device, dtype=DTYPE)
    kernel_fn(a, b, c)
    worst = torch.zeros((), device=a.device)
    step = max(1, 2**28 // N)  # rows at a time: the reference of a large C would not fit
    for row in range(0, M, step):
        expected = reference(a[row:row + step], b)
        error = (c[row:row + step].to(torch.float32) - expected).abs().max()
        worst = torch.maximum(worst, error)  # a NaN stays
    max_abs_err = worst.item()
    passed = max_abs_err < TOLERANCE  # false for NaN
    print("VERIFY: PASS" if passed else f"VERIFY: FAIL max_abs_err={max_abs_err}")
    return passed


def bench(warmup=10, iters=50):
    """Times kernel_fn with CUDA events and prints the mean."""
    a, b = make_inputs(seed=1)
    c = torch.empty((M, N), device=a.device, dtype=DTYPE)
    for _ in range(warmup):
        kernel_fn(a, b, c)
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(iters):
        kernel_fn(a, b, c)
    end.record()
    torch.cuda.synchronize()
    elapsed_ms = start.elapsed_time(end) / iters
    tflops = 2 * M * N * K / elapsed_ms / 1e9
    print(f"TFLOPS: {tflops:.2f}   time_ms: {elapsed_ms:.3f}")


if __name__ == "__main__":
    if not verify():
        raise SystemExit(1)
    bench()
