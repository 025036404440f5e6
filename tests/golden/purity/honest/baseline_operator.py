# expect: accept
# iter: 0
"""iter000 by the operator."""
import torch
import triton
import triton.language as tl

M, N, K = 2048, 2048, 2048


DTYPE = torch.float16


def kernel_fn(a, b):
    return a @ b


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
