"""Triton matmul_nt_f16fp32_16x8192x8192: few rows, the transposed tile, host descriptors (TMA).

Tiles of 16 x 64 x 256, 4 warps, 5 stages.
For products with few rows, as in decoding: a program multiplies BLOCK_N rows of B's transpose by
BLOCK_M rows of A's, so that the matrix units' 64 rows come from N and A needs no padding to them.
B is read once; what counts is how much of it is on its way. The copy engine moves whole blocks; it
needs rows of 16-byte steps. kernel_fn multiplies any pair with such rows.
Run: python3 <this file>  (checks against float32, then times; needs a CUDA GPU of sm_90 or later)
"""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

# The problem: C[M, N] = A[M, K] @ B[N, K].T, as nn.Linear stores its weight; all row-major.
M, N, K = 16, 8192, 8192
DTYPE = torch.float16
TOLERANCE = 0.001  # on the largest absolute error against float32

# The configuration.
BLOCK_M = 16  # rows of C in one tile
BLOCK_N = 64  # columns of C in one tile
BLOCK_K = 256  # depth of one step of the inner loop
GROUP_M = 1  # rows of tiles walked together
NUM_WARPS = 4
NUM_STAGES = 5


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
def matmul_kernel(a_desc, b_desc, c_ptr, M, N, K, stride_c: tl.int64,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                  GROUP_M: tl.constexpr,
                  EVEN_M: tl.constexpr, EVEN_N: tl.constexpr):
    tiles_m = (M - 1) // BLOCK_M + 1
    tiles_n = (N - 1) // BLOCK_N + 1
    tile_m, tile_n = grouped_order(tl.program_id(0), tiles_m, tiles_n, GROUP_M)
    row = tile_m * BLOCK_M
    column = tile_n * BLOCK_N
    acc = tl.zeros((BLOCK_N, BLOCK_M), dtype=tl.float32)
    for k in range(0, (K - 1) // BLOCK_K + 1):
        a = a_desc.load([row, k * BLOCK_K])
        b = b_desc.load([column, k * BLOCK_K])
        acc = tl.dot(b, a.T, acc)
    store_block(c_ptr, acc.T, row, column, M, N, stride_c, EVEN_M and EVEN_N)


def kernel_fn(a, b, c=None):
    """A @ B.T of row-major a [M, K] and b [N, K], written to c where it is given."""
    m, k = a.shape
    n = b.shape[0]
    assert b.shape == (n, k), f"b must be [N, {k}] beside a of {tuple(a.shape)}: {tuple(b.shape)}"
    assert a.dtype == DTYPE and b.dtype == DTYPE, f"a and b must be {DTYPE}: {a.dtype}, {b.dtype}"
    assert a.is_contiguous() and b.is_contiguous(), "a and b must be row-major and contiguous"
    if c is None:
        c = torch.empty((m, n), device=a.device, dtype=DTYPE)
    assert c.shape == (m, n) and c.dtype == DTYPE, f"c must be [{m}, {n}] of {DTYPE}"
    assert c.is_contiguous(), "c must be row-major and contiguous"
    for tensor in (a, b, c):
        row_bytes = tensor.stride(0) * tensor.element_size()
        assert row_bytes % 16 == 0, f"TMA needs rows of 16-byte steps, not {row_bytes} bytes"
    a_desc = TensorDescriptor.from_tensor(a, [BLOCK_M, BLOCK_K])
    b_desc = TensorDescriptor.from_tensor(b, [BLOCK_N, BLOCK_K])
    grid = (triton.cdiv(m, BLOCK_M) * triton.cdiv(n, BLOCK_N),)
    matmul_kernel[grid](a_desc, b_desc, c, m, n, k, c.stride(0),
                        BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, GROUP_M=GROUP_M,
                        EVEN_M=m % BLOCK_M == 0, EVEN_N=n % BLOCK_N == 0,
                        num_warps=NUM_WARPS, num_stages=NUM_STAGES)
    return c


def make_inputs(seed, device="cuda"):
    """Normal A and B, scaled so that C has a standard deviation of 0.25 whatever K is."""
    generator = torch.Generator(device=device).manual_seed(seed)
    scale = (0.25 / K**0.5) ** 0.5
    a = torch.randn((M, K), generator=generator, device=device, dtype=DTYPE).mul_(scale)
    b = torch.randn((N, K), generator=generator, device=device, dtype=DTYPE).mul_(scale)
    return a, b


def reference(a, b):
    """The product in IEEE float32."""
    torch.backends.cuda.matmul.allow_tf32 = False
    return torch.matmul(a.to(torch.float32), b.to(torch.float32).T)


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
