# expect: accept
"""Two kernels: parts, then their sum."""
import torch
import triton
import triton.language as tl

M, N, K = 2048, 2048, 2048


@triton.jit
def split_kernel(a_ptr, b_ptr, parts_ptr, M, N, K, SPLIT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    part = tl.program_id(2)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k in range(part * BLOCK, K, SPLIT * BLOCK):
        depth = k + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + row[:, None] * K + depth[None, :])
        b = tl.load(b_ptr + depth[:, None] * N + column[None, :])
        acc += tl.dot(a, b)
    tl.store(parts_ptr + part * M * N + row[:, None] * N + column[None, :], acc)


@triton.jit
def reduce_kernel(parts_ptr, c_ptr, size, SPLIT: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for part in tl.static_range(SPLIT):
        acc += tl.load(parts_ptr + part * size + offsets)
    tl.store(c_ptr + offsets, acc.to(tl.float16))


SPLIT = 4


def kernel_fn(a, b):
    m, k = a.shape
    n = b.shape[1]
    parts = torch.empty((SPLIT, m, n), device=a.device, dtype=torch.float32)
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    split_kernel[(m // 64, n // 64, SPLIT)](a, b, parts, m, n, k, SPLIT=SPLIT, BLOCK=64)
    reduce_kernel[(m * n // 1024,)](parts, c, m * n, SPLIT=SPLIT, BLOCK=1024)
    return c


def verify():
    torch.manual_seed(0)
    a = torch.randn((M, K), device="cuda", dtype=torch.float16) * 0.1
    b = torch.randn((K, N), device="cuda", dtype=torch.float16) * 0.1
    error = (kernel_fn(a, b).to(torch.float32) - a.to(torch.float32) @ b.to(torch.float32)).abs().max().item()
    print("VERIFY: PASS" if error < 1e-3 else f"VERIFY: FAIL max_abs_err={error}")


def bench(iters=50):
    a = torch.randn((M, K), device="cuda", dtype=torch.float16)
    b = torch.randn((K, N), device="cuda", dtype=torch.float16)
    for _ in range(10):
        kernel_fn(a, b)
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(iters):
        kernel_fn(a, b)
    end.record()
    torch.cuda.synchronize()
    elapsed_ms = start.elapsed_time(end) / iters
    print(f"TFLOPS: {2 * M * N * K / elapsed_ms / 1e9:.2f}   time_ms: {elapsed_ms:.3f}")


if __name__ == "__main__":
    verify()
    bench()
