"""Triton matmul_nt_f16fp32_256x8192x8192: stream-K, host descriptors (TMA).

Tiles of 128 x 256 x 64, 8 warps, 3 stages.
NUM_PROGRAMS programs stay on the GPU. They multiply whole tiles while there is one for each; the
tiles left over are cut into steps over K and shared out evenly, so that all programs end together.
What a program sums up of a shared tile goes to a workspace as float32, and a second kernel adds
those parts, always in the same order: equal inputs give equal bits, and no program waits for
another. The copy engine moves whole blocks and clips them at the edges; it needs rows of 16-byte
steps. kernel_fn multiplies any pair with such rows.
Run: python3 <this file>  (checks against float32, then times; needs a CUDA GPU of sm_90 or later)
"""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

# The problem: C[M, N] = A[M, K] @ B[N, K].T, as nn.Linear stores its weight; all row-major.
M, N, K = 256, 8192, 8192
DTYPE = torch.float16
TOLERANCE = 0.001  # on the largest absolute error against float32

# The configuration.
BLOCK_M = 128  # rows of C in one tile
BLOCK_N = 256  # columns of C in one tile
BLOCK_K = 64  # depth of one step of the inner loop
GROUP_M = 2  # rows of tiles walked together
EPILOGUE_SPLIT = 1  # 2: a whole tile is stored in two halves of columns
FIXUP_ROWS = 16  # rows of a shared tile that a program of the second kernel adds
NUM_PROGRAMS = 132  # 132 SMs, 1 program on each
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
def matmul_kernel(a_desc, b_desc, c_desc, parts_ptr, M, N, K,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                  GROUP_M: tl.constexpr, EPILOGUE_SPLIT: tl.constexpr,
                  NUM_PROGRAMS: tl.constexpr):
    tiles_m = (M - 1) // BLOCK_M + 1
    tiles_n = (N - 1) // BLOCK_N + 1
    steps = (K - 1) // BLOCK_K + 1
    tiles = tiles_m * tiles_n
    program = tl.program_id(0)
    waves = tiles // NUM_PROGRAMS
    # The steps of the tiles left over, of which this program has [begin, end): two tiles at most.
    shared = (tiles - waves * NUM_PROGRAMS) * steps
    begin = (program.to(tl.int64) * shared // NUM_PROGRAMS).to(tl.int32)
    end = ((program + 1).to(tl.int64) * shared // NUM_PROGRAMS).to(tl.int32)
    for item in range(0, waves + 2):
        whole = item < waves
        tile = tl.where(whole, item * NUM_PROGRAMS + program,
                        min(waves * NUM_PROGRAMS + begin // steps, tiles - 1))
        first = tl.where(whole, 0, begin % steps)
        last = tl.where(whole, steps, min(steps, first + end - begin))
        tile_m, tile_n = grouped_order(tile, tiles_m, tiles_n, GROUP_M)
        row = tile_m * BLOCK_M
        column = tile_n * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for k in range(first, last):
            a = a_desc.load([row, k * BLOCK_K])
            b = b_desc.load([column, k * BLOCK_K])
            acc = tl.dot(a, b.T, acc)
        if whole:
            if EPILOGUE_SPLIT == 1:
                c_desc.store([row, column], acc.to(tl.float16))
            else:
                halves = tl.permute(tl.reshape(acc, (BLOCK_M, 2, BLOCK_N // 2)), (0, 2, 1))
                left, right = tl.split(halves)
                c_desc.store([row, column], left.to(tl.float16))
                c_desc.store([row, column + BLOCK_N // 2], right.to(tl.float16))
        elif last > first:
            part = (program * 2 + item - waves).to(tl.int64)
            store_block(parts_ptr + part * (BLOCK_M * BLOCK_N), acc, 0, 0, BLOCK_M, BLOCK_N,
                        BLOCK_N, True)
            begin += last - first


@triton.jit
def fixup_kernel(parts_ptr, c_ptr, M, N, K, stride_c: tl.int64,
                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                 GROUP_M: tl.constexpr, NUM_PROGRAMS: tl.constexpr, FIXUP_ROWS: tl.constexpr):
    """Adds the parts of one shared tile's FIXUP_ROWS rows, in the order of K."""
    tiles_m = (M - 1) // BLOCK_M + 1
    tiles_n = (N - 1) // BLOCK_N + 1
    steps = ((K - 1) // BLOCK_K + 1).to(tl.int64)
    whole = tiles_m * tiles_n // NUM_PROGRAMS * NUM_PROGRAMS
    shared = (tiles_m * tiles_n - whole) * steps
    tile = tl.program_id(0)
    # The programs of the tile's first and last step.
    first = (tile * steps * NUM_PROGRAMS + NUM_PROGRAMS - 1) // shared
    last = ((tile + 1) * steps * NUM_PROGRAMS - 1) // shared
    top = tl.program_id(1) * FIXUP_ROWS
    offsets = (top + tl.arange(0, FIXUP_ROWS))[:, None] * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    total = tl.zeros((FIXUP_ROWS, BLOCK_N), dtype=tl.float32)
    for program in range(first, last + 1):
        begin = program * shared // NUM_PROGRAMS
        end = (program + 1) * shared // NUM_PROGRAMS
        part = program * 2 + tl.where(begin < tile * steps, 1, 0)
        total += tl.load(parts_ptr + part * (BLOCK_M * BLOCK_N) + offsets, mask=begin < end,
                         other=0.0)
    tile_m, tile_n = grouped_order(whole + tile, tiles_m, tiles_n, GROUP_M)
    store_block(c_ptr, total, tile_m * BLOCK_M + top, tile_n * BLOCK_N, M, N, stride_c, False)


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
    parts = torch.empty((2 * NUM_PROGRAMS, BLOCK_M, BLOCK_N), device=a.device, dtype=torch.float32)
    a_desc = TensorDescriptor.from_tensor(a, [BLOCK_M, BLOCK_K])
    b_desc = TensorDescriptor.from_tensor(b, [BLOCK_N, BLOCK_K])
    c_desc = TensorDescriptor.from_tensor(c, [BLOCK_M, BLOCK_N // EPILOGUE_SPLIT])
    matmul_kernel[(NUM_PROGRAMS,)](a_desc, b_desc, c_desc, parts, m, n, k,
                                   BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K,
                                   GROUP_M=GROUP_M, EPILOGUE_SPLIT=EPILOGUE_SPLIT,
                                   NUM_PROGRAMS=NUM_PROGRAMS,
                                   num_warps=NUM_WARPS, num_stages=NUM_STAGES)
    shared_tiles = triton.cdiv(m, BLOCK_M) * triton.cdiv(n, BLOCK_N) % NUM_PROGRAMS
    if shared_tiles > 0:
        fixup_kernel[(shared_tiles, BLOCK_M // FIXUP_ROWS)](
            parts, c, m, n, k, c.stride(0), BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K,
            GROUP_M=GROUP_M, NUM_PROGRAMS=NUM_PROGRAMS, FIXUP_ROWS=FIXUP_ROWS, num_warps=4)
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
