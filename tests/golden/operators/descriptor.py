"""Triton matmul_nt_bf16fp32_4096x4096x4096: one program a tile, host descriptors (TMA).

Tiles of 128 x 128 x 64, 8 warps, 3 stages.
The copy engine moves whole blocks and clips them at the edges, so there are no masks; it needs
rows of 16-byte steps. Triton gives descriptor loads no L2 eviction policy. kernel_fn
multiplies any pair with such rows; the configuration was chosen for the shape above.
Run: python3 <this file>  (checks against float32, then times; needs a CUDA GPU of sm_90 or later)
"""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

# The problem: C[M, N] = A[M, K] @ B[N, K].T, as nn.Linear stores its weight; all row-major.
M, N, K = 4096, 4096, 4096
DTYPE = torch.bfloat16
TOLERANCE = 0.01  # on the largest absolute error against float32

# The configuration.
BLOCK_M = 128  # rows of C in one tile
BLOCK_N = 128  # columns of C in one tile
BLOCK_K = 64  # depth of one step of the inner loop
GROUP_M = 8  # rows of tiles walked together
EPILOGUE_SPLIT = 1  # blocks of columns that the tile is stored in
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
def store_parts(c_desc, acc, row, column, PARTS: tl.constexpr):
    """Stores a tile in PARTS (a power of two) blocks of columns, each through less shared memory."""
    if PARTS == 1:
        c_desc.store([row, column], acc.to(tl.bfloat16))
    else:
        half: tl.constexpr = acc.shape[1] // 2
        halves = tl.permute(tl.reshape(acc, (acc.shape[0], 2, half)), (0, 2, 1))
        left, right = tl.split(halves)
        store_parts(c_desc, left, row, column, PARTS // 2)
        store_parts(c_desc, right, row, column + half, PARTS // 2)


@triton.jit
def matmul_kernel(a_desc, b_desc, c_desc, M, N, K,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                  GROUP_M: tl.constexpr, EPILOGUE_SPLIT: tl.constexpr):
    tiles_m = (M - 1) // BLOCK_M + 1
    tiles_n = (N - 1) // BLOCK_N + 1
    tile_m, tile_n = grouped_order(tl.program_id(0), tiles_m, tiles_n, GROUP_M)
    row = tile_m * BLOCK_M
    column = tile_n * BLOCK_N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, (K - 1) // BLOCK_K + 1):
        a = a_desc.load([row, k * BLOCK_K])
        b = b_desc.load([column, k * BLOCK_K])
        acc = tl.dot(a, b.T, acc)
    store_parts(c_desc, acc, row, column, EPILOGUE_SPLIT)


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
    c_desc = TensorDescriptor.from_tensor(c, [BLOCK_M, BLOCK_N // EPILOGUE_SPLIT])
    grid = (triton.cdiv(m, BLOCK_M) * triton.cdiv(n, BLOCK_N),)
    matmul_kernel[grid](a_desc, b_desc, c_desc, m, n, k,
                        BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, GROUP_M=GROUP_M,
                        EPILOGUE_SPLIT=EPILOGUE_SPLIT,
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
