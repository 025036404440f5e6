# expect: reject E102
"""A private function of torch."""
import torch
import triton
import triton.language as tl

M, N, K = 2048, 2048, 2048


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        rest = K - k * BLOCK_K
        a = tl.load(a_ptr + rows[:, None] * stride_a + (k * BLOCK_K + offs_k)[None, :],
                    mask=offs_k[None, :] < rest, other=0.0)
        b = tl.load(b_ptr + (k * BLOCK_K + offs_k)[:, None] * stride_b + columns[None, :],
                    mask=offs_k[:, None] < rest, other=0.0)
        acc = tl.dot(a, b, acc)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * stride_c + columns[None, :], acc.to(tl.float16), mask=mask)


def kernel_fn(a, b):
    return torch._scaled_mm(a, b)


def verify():
    torch.manual_seed(0)
    a = torch.randn((M, K), device="cuda", dtype=torch.float16) * 0.1
    b = torch.randn((K, N), device="cuda", dtype=torch.float16) * 0.1
    error = (kernel_fn(a, b).to(torch.float32) - a.to(torch.float32) @ b.to(torch.float32)).abs().max().item()
    print("VERIFY: PASS" if error < 1e-3 else f"VERIFY: FAIL max_abs_err={error}")


if __name__ == "__main__":
    verify()
