# expect: accept
"""Host tensor descriptors."""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

M, N, K = 2048, 2048, 2048


@triton.jit
def matmul_kernel(a_desc, b_desc, c_desc, M, N, K, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK
    column = tl.program_id(1) * BLOCK
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k in range(0, K, BLOCK):
        a = a_desc.load([row, k])
        b = b_desc.load([k, column])
        acc = tl.dot(a, b, acc)
    c_desc.store([row, column], acc.to(tl.float16))


def kernel_fn(a, b):
    c = torch.empty((a.shape[0], b.shape[1]), device=a.device, dtype=a.dtype)
    block = [64, 64]
    descriptors = [TensorDescriptor.from_tensor(t, block) for t in (a, b)]
    target = TensorDescriptor(c, c.shape, c.stride(), block)
    matmul_kernel[(c.shape[0] // 64, c.shape[1] // 64)](*descriptors, target, M, N, K, BLOCK=64)
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
