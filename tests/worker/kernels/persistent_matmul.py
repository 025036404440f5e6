"""A persistent matmul over device tensor descriptors; asks the device for its multiprocessors."""

import torch
import triton
import triton.language as tl

BLOCK_M = 128
BLOCK_N = 128
BLOCK_K = 64
PROGRAMS = torch.cuda.get_device_properties("cuda").multi_processor_count


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_a: tl.int64, stride_b: tl.int64,
                  stride_c: tl.int64, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                  BLOCK_K: tl.constexpr, PROGRAMS: tl.constexpr, WS: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [M, K], [stride_a, 1], [BLOCK_M, BLOCK_K])
    b_desc = tl.make_tensor_descriptor(b_ptr, [K, N], [stride_b, 1], [BLOCK_K, BLOCK_N])
    c_desc = tl.make_tensor_descriptor(c_ptr, [M, N], [stride_c, 1], [BLOCK_M, BLOCK_N])
    tiles_n = tl.cdiv(N, BLOCK_N)
    tiles = tl.cdiv(M, BLOCK_M) * tiles_n
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, warp_specialize=WS):
        row = tile // tiles_n * BLOCK_M
        column = tile % tiles_n * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for k in range(0, tl.cdiv(K, BLOCK_K)):
            x = a_desc.load([row, k * BLOCK_K])
            y = b_desc.load([k * BLOCK_K, column])
            acc = tl.dot(x, y, acc)
        c_desc.store([row, column], acc.to(c_ptr.dtype.element_ty))


def scratch(size, alignment, stream):
    return torch.empty(size, device="cuda", dtype=torch.int8)


def kernel_fn(a, b, c):
    M, K = a.shape
    N = b.shape[1]
    triton.set_allocator(scratch)
    programs = min(PROGRAMS, triton.cdiv(M, BLOCK_M) * triton.cdiv(N, BLOCK_N))
    matmul_kernel[(programs,)](a, b, c, M, N, K, a.stride(0), b.stride(0), c.stride(0),
                               BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K,
                               PROGRAMS=programs, WS=True, num_warps=4, num_stages=3)
