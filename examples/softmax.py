"""Row-wise softmax: a program a row, the whole row in registers. Tune it: croq tune examples/softmax.py"""

import torch
import triton
import triton.language as tl

CROQ = {
    "entry": "softmax",
    "operator": "softmax",
    "dtype": "f16fp32",
    "dims": {"M": 16384, "N": 8192},
    "inputs": {"x": {"shape": ["M", "N"], "dtype": "float16"}},
    "outputs": {"y": {"shape": ["M", "N"], "dtype": "float16"}},
    "reference": "softmax_reference",
    "flops": "5*M*N",
    "bytes": "2*M*N*2",
}


def softmax_reference(x):
    return torch.softmax(x, dim=-1)


@triton.autotune(
    configs=[
        triton.Config({"STREAM": 0}, num_warps=4),
        triton.Config({"STREAM": 0}, num_warps=8),
        triton.Config({"STREAM": 1}, num_warps=16),
        triton.Config({"STREAM": 1}, num_warps=32),
    ],
    key=["N"],
)
@triton.jit
def softmax_kernel(x_ptr, y_ptr, N, BLOCK_N: tl.constexpr, STREAM: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK_N)
    inside = columns < N
    x = tl.load(x_ptr + row * N + columns, mask=inside, other=float("-inf"),
                eviction_policy="evict_first" if STREAM else "").to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    y = e / tl.sum(e, axis=0)
    tl.store(y_ptr + row * N + columns, y.to(tl.float16), mask=inside)


def softmax(x):
    M, N = x.shape
    y = torch.empty_like(x)
    softmax_kernel[(M,)](x, y, N, BLOCK_N=triton.next_power_of_2(N))
    return y
