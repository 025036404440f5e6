"""Residual add and RMS norm in one pass: residual += x, y = rms_norm(residual) * w. The residual is
updated in place. Tune it: croq tune examples/rmsnorm.py"""

import torch
import triton
import triton.language as tl

# Inputs are scaled so that the results stay below 2: the contract's tolerance is absolute, and half
# a unit in the last place of a float16 above 2 is more.
CROQ = {
    "entry": "rmsnorm",
    "operator": "rmsnorm_residual",
    "dtype": "f16fp32",
    "dims": {"M": 16384, "N": 8192},
    "inputs": {
        "x": {"shape": ["M", "N"], "dtype": "float16", "distribution": ["normal", 0, 0.2]},
        "w": {"shape": ["N"], "dtype": "float16", "distribution": ["uniform", 0.1, 0.3]},
        "eps": 1e-6,
    },
    "inout": {
        "residual": {"shape": ["M", "N"], "dtype": "float16", "distribution": ["normal", 0, 0.2]},
    },
    "outputs": {"y": {"shape": ["M", "N"], "dtype": "float16"}},
    "reference": "rmsnorm_reference",
    "flops": "6*M*N",
    "bytes": "4*M*N*2 + N*2",
}


def rmsnorm_reference(x, residual, w, eps):
    h = residual + x
    y = h * torch.rsqrt(h.float().square().mean(dim=-1, keepdim=True) + eps).to(h.dtype) * w
    return y, h


# Each benchmark run of the autotuner adds x once more: restore_value puts the residual back.
@triton.autotune(
    configs=[
        triton.Config({}, num_warps=4),
        triton.Config({}, num_warps=8),
        triton.Config({}, num_warps=16),
        triton.Config({}, num_warps=32),
    ],
    key=["N"],
    restore_value=["residual_ptr"],
)
@triton.jit
def rmsnorm_kernel(x_ptr, residual_ptr, w_ptr, y_ptr, N, eps, BLOCK_N: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK_N)
    inside = columns < N
    place = row * N + columns
    x = tl.load(x_ptr + place, mask=inside, other=0.0).to(tl.float32)
    h = x + tl.load(residual_ptr + place, mask=inside, other=0.0).to(tl.float32)
    tl.store(residual_ptr + place, h.to(tl.float16), mask=inside)
    w = tl.load(w_ptr + columns, mask=inside, other=0.0, eviction_policy="evict_last").to(tl.float32)
    scale = tl.rsqrt(tl.sum(h * h, axis=0) / N + eps)
    tl.store(y_ptr + place, (h * scale * w).to(tl.float16), mask=inside)


def rmsnorm(x, residual, w, eps):
    M, N = x.shape
    y = torch.empty_like(x)
    rmsnorm_kernel[(M,)](x, residual, w, y, N, eps, BLOCK_N=triton.next_power_of_2(N))
    return y
