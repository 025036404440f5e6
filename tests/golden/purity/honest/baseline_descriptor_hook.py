# expect: accept
# iter: 0
"""A hook fits the descriptors to the configuration."""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def fit(nargs):
    rows = nargs["ROWS"]
    nargs["x_desc"].block_shape = [rows, 64]
    block = [rows, 64]
    nargs["out_desc"].block_shape = block


@triton.autotune([triton.Config({"ROWS": rows}, num_warps=4, pre_hook=fit) for rows in (16, 32)],
                 key=["m"])


@triton.jit
def scale_kernel(x_desc, out_desc, m, ROWS: tl.constexpr):
    row = tl.program_id(0) * ROWS
    out_desc.store([row, 0], x_desc.load([row, 0]) * 2)


def kernel_fn(x):
    out = torch.empty_like(x)
    a = TensorDescriptor.from_tensor(x, [16, 64])
    b = TensorDescriptor.from_tensor(out, [16, 64])
    scale_kernel[lambda meta: (triton.cdiv(x.shape[0], meta["ROWS"]),)](a, b, x.shape[0])
    return out
