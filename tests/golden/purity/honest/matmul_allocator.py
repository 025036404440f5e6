# expect: accept
"""Device descriptors with an allocator for their scratch."""
import torch
import triton
import triton.language as tl
from typing import Optional

M, N, K = 2048, 2048, 2048


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BLOCK, BLOCK])
    b_desc = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [BLOCK, BLOCK])
    c_desc = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BLOCK, BLOCK])
    tiles = (M // BLOCK) * (N // BLOCK)
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=True):
        row = tile // (N // BLOCK) * BLOCK
        column = tile % (N // BLOCK) * BLOCK
        acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
        for k in range(0, K, BLOCK):
            acc = tl.dot(a_desc.load([row, k]), b_desc.load([k, column]), acc)
        c_desc.store([row, column], acc.to(c_desc.dtype))


def kernel_fn(a, b):
    def allocate(size: int, alignment: int, stream: Optional[int]):
        return torch.empty(size, device="cuda", dtype=torch.int8)

    triton.set_allocator(allocate)
    programs = torch.cuda.get_device_properties(a.device).multi_processor_count
    c = torch.empty((a.shape[0], b.shape[1]), device=a.device, dtype=a.dtype)
    tiles = triton.cdiv(c.shape[0], 64) * triton.cdiv(c.shape[1], 64)
    matmul_kernel[(min(programs, tiles),)](a, b, c, M, N, K, PROGRAMS=programs, BLOCK=64)
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
