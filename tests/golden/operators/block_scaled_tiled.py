"""Triton blockscale_gemm_e4m3fp16fp32_1000x2000x3008: one program a tile of C, pointer loads.

Tiles of 128 x 128 x 64, 8 warps, 3 stages.
Programs walk the tiles in groups of GROUP_M rows, so that neighbours share A and B in L2.
Rows, columns and K need not be multiples of the tile. kernel_fn multiplies any fitting
pair; the configuration was chosen for the shape above.
Run: python3 <this file>  (checks against float32, then times; needs a CUDA GPU)
"""
import torch
import triton
import triton.language as tl

# The problem: C[M, N] = A[M, K] @ B[N, K].T, of FP8 with a scale a block; all row-major.
M, N, K = 1000, 2000, 3008
DTYPE = torch.float8_e4m3fn
OUT_DTYPE = torch.float16
TOLERANCE = 0.005  # on the largest absolute error against float32

# The configuration.
BLOCK_M = 128  # rows of C in one tile
BLOCK_N = 128  # columns of C in one tile
BLOCK_K = 64  # depth of one step of the inner loop
GROUP_M = 8  # rows of tiles walked together
EVICT_A = ""  # L2 policy of A's loads: "", "evict_first" or "evict_last"
EVICT_B = ""  # and of B's
EPILOGUE_SPLIT = 1  # 2: the tile is stored in two halves of columns
NUM_WARPS = 8
NUM_STAGES = 3
NUM_CTAS = 1


@triton.jit
def grouped_order(tile, tiles_m, tiles_n, GROUP_M: tl.constexpr):
    """Row and column of a tile: GROUP_M rows of tiles are walked column by column, for L2 reuse."""
    width = GROUP_M * tiles_n
    first = tile // width * GROUP_M
    size = min(tiles_m - first, GROUP_M)
    return first + tile % width % size, tile % width // size


@triton.jit
def block_scales(scale_a_ptr, scale_b_ptr, row, column, k, M, N, K,
                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """What products of A's and B's elements from k on are worth, for a tile at (row, column)."""
    steps = (K - 1) // 128 + 1
    rows = row + tl.arange(0, BLOCK_M)
    scale_a = tl.load(scale_a_ptr + rows * steps + k // 128, mask=rows < M, other=0.0)
    if BLOCK_N <= 128:
        scale_b = tl.load(scale_b_ptr + column // 128 * steps + k // 128)
        return (scale_a * scale_b)[:, None]
    else:
        columns = column + tl.arange(0, BLOCK_N)
        scale_b = tl.load(scale_b_ptr + columns // 128 * steps + k // 128, mask=columns < N,
                          other=0.0)
        return scale_a[:, None] * scale_b[None, :]


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
def dot_tile(a_ptr, b_ptr, scale_a_ptr, scale_b_ptr, row, column, M, N, K, stride_a, stride_b,
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
    b_ptrs = b_ptr + columns[None, :] * stride_b + offs_k[:, None]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, (K - 1) // BLOCK_K + 1):
        if EVEN_K:
            a = tl.load(a_ptrs, eviction_policy=EVICT_A)
            b = tl.load(b_ptrs, eviction_policy=EVICT_B)
        else:
            rest = K - k * BLOCK_K
            a = tl.load(a_ptrs, mask=offs_k[None, :] < rest, other=0.0, eviction_policy=EVICT_A)
            b = tl.load(b_ptrs, mask=offs_k[:, None] < rest, other=0.0, eviction_policy=EVICT_B)
        acc += tl.dot(a, b) * block_scales(scale_a_ptr, scale_b_ptr, row, column, k * BLOCK_K, M, N,
                                           K, BLOCK_M, BLOCK_N)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K
    return acc


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, scale_a_ptr, scale_b_ptr, M, N, K,
                  stride_a: tl.int64, stride_b: tl.int64, stride_c: tl.int64,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                  GROUP_M: tl.constexpr, EVICT_A: tl.constexpr, EVICT_B: tl.constexpr,
                  EPILOGUE_SPLIT: tl.constexpr,
                  EVEN_M: tl.constexpr, EVEN_N: tl.constexpr, EVEN_K: tl.constexpr):
    tiles_m = (M - 1) // BLOCK_M + 1
    tiles_n = (N - 1) // BLOCK_N + 1
    tile_m, tile_n = grouped_order(tl.program_id(0), tiles_m, tiles_n, GROUP_M)
    row = tile_m * BLOCK_M
    column = tile_n * BLOCK_N
    acc = dot_tile(a_ptr, b_ptr, scale_a_ptr, scale_b_ptr, row, column, M, N, K, stride_a, stride_b, BLOCK_M, BLOCK_N,
                   BLOCK_K, EVICT_A, EVICT_B, EVEN_M, EVEN_N, EVEN_K)
    if EPILOGUE_SPLIT == 1:
        store_block(c_ptr, acc, row, column, M, N, stride_c, EVEN_M and EVEN_N)
    else:
        halves = tl.permute(tl.reshape(acc, (BLOCK_M, 2, BLOCK_N // 2)), (0, 2, 1))
        left, right = tl.split(halves)
        store_block(c_ptr, left, row, column, M, N, stride_c, EVEN_M and EVEN_N)
        store_block(c_ptr, right, row, column + BLOCK_N // 2, M, N, stride_c, EVEN_M and EVEN_N)


def kernel_fn(a, b, scale_a, scale_b, c=None):
    """A @ B.T of row-major a [M, K] and b [N, K], scaled, written to c where it is given."""
    m, k = a.shape
    n = b.shape[0]
    assert b.shape == (n, k), f"b must be [N, {k}] beside a of {tuple(a.shape)}: {tuple(b.shape)}"
    assert a.dtype == DTYPE and b.dtype == DTYPE, f"a and b must be {DTYPE}: {a.dtype}, {b.dtype}"
    steps = triton.cdiv(k, 128)
    assert scale_a.shape == (m, steps) and scale_b.shape == (triton.cdiv(n, 128), steps), \
        "a scale for 1 x 128 elements of a and 128 x 128 of b"
    assert a.is_contiguous() and b.is_contiguous(), "a and b must be row-major and contiguous"
    if c is None:
        c = torch.empty((m, n), device=a.device, dtype=OUT_DTYPE)
    assert c.shape == (m, n) and c.dtype == OUT_DTYPE, f"c must be [{m}, {n}] of {OUT_DTYPE}"
    assert c.is_contiguous(), "c must be row-major and contiguous"
    grid = (triton.cdiv(m, BLOCK_M) * triton.cdiv(n, BLOCK_N),)
    matmul_kernel[grid](a, b, c, scale_a, scale_b, m, n, k, a.stride(0), b.stride(0), c.stride(0),
                        BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, GROUP_M=GROUP_M,
                        EVICT_A=EVICT_A, EVICT_B=EVICT_B, EPILOGUE_SPLIT=EPILOGUE_SPLIT,
                        EVEN_M=m % BLOCK_M == 0, EVEN_N=n % BLOCK_N == 0,
                        EVEN_K=k % BLOCK_K == 0,
                        num_warps=NUM_WARPS, num_stages=NUM_STAGES, num_ctas=NUM_CTAS)
    return c


def spread(generator, device, rows, steps):
    """Scales of 2^-3 to 2^3, so that none stands for its neighbour."""
    scale = (0.25 / K**0.5) ** 0.5 / 3.5
    powers = torch.randint(-3, 4, (rows, steps), generator=generator, device=device)
    return scale * torch.exp2(powers.to(torch.float32))


def make_inputs(seed, device="cuda"):
    """Normal A and B, and scales that give C a standard deviation of about 0.25 whatever K is."""
    generator = torch.Generator(device=device).manual_seed(seed)
    a = torch.randn((M, K), generator=generator, device=device).to(DTYPE)
    b = torch.randn((N, K), generator=generator, device=device).to(DTYPE)
    steps = (K - 1) // 128 + 1
    scale_a = spread(generator, device, M, steps)
    scale_b = spread(generator, device, (N - 1) // 128 + 1, steps)
    return a, b, scale_a, scale_b


def dequantise(a, b, scale_a, scale_b):
    """A and B with their scales, in float32."""
    a = a.to(torch.float32) * scale_a.repeat_interleave(128, 1)[:, :K]
    scale_b = scale_b.repeat_interleave(128, 0).repeat_interleave(128, 1)
    return a, b.to(torch.float32) * scale_b[:N, :K]


def reference(a, b, scale_a, scale_b):
    """The product in IEEE float32."""
    torch.backends.cuda.matmul.allow_tf32 = False
    a, b = dequantise(a, b, scale_a, scale_b)
    return torch.matmul(a, b.T)


def verify():
    """Checks kernel_fn against the reference, prints the verdict and returns it."""
    a, b, scale_a, scale_b = make_inputs(seed=0)
    c = torch.full((M, N), float("nan"), device=a.device, dtype=OUT_DTYPE)
    kernel_fn(a, b, scale_a, scale_b, c)
    worst = torch.zeros((), device=a.device)
    step = max(1, 2**28 // N)  # rows at a time: the reference of a large C would not fit
    for row in range(0, M, step):
        expected = reference(a[row:row + step], b, scale_a[row:row + step], scale_b)
        error = (c[row:row + step].to(torch.float32) - expected).abs().max()
        worst = torch.maximum(worst, error)  # a NaN stays
    max_abs_err = worst.item()
    passed = max_abs_err < TOLERANCE  # false for NaN
    print("VERIFY: PASS" if passed else f"VERIFY: FAIL max_abs_err={max_abs_err}")
    return passed


def bench(warmup=10, iters=50):
    """Times kernel_fn with CUDA events and prints the mean."""
    a, b, scale_a, scale_b = make_inputs(seed=1)
    c = torch.empty((M, N), device=a.device, dtype=OUT_DTYPE)
    for _ in range(warmup):
        kernel_fn(a, b, scale_a, scale_b, c)
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(iters):
        kernel_fn(a, b, scale_a, scale_b, c)
    end.record()
    torch.cuda.synchronize()
    elapsed_ms = start.elapsed_time(end) / iters
    tflops = 2 * M * N * K / elapsed_ms / 1e9
    print(f"TFLOPS: {tflops:.2f}   time_ms: {elapsed_ms:.3f}")


if __name__ == "__main__":
    if not verify():
        raise SystemExit(1)
    bench()
