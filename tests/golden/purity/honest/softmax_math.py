# expect: accept
"""math and integer arithmetic on the host."""
import torch
import triton
import triton.language as tl
import math


@triton.jit
def softmax_kernel(x_ptr, y_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * stride + offsets, mask=mask, other=-float("inf")).to(tl.float32)
    x = x - tl.max(x, axis=0)
    numerator = tl.exp(x)
    y = numerator / tl.sum(numerator, axis=0)
    tl.store(y_ptr + row * stride + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


LIMIT = 64 * 1024


def warps_for(block):
    return int(min(16, max(1, block // 256)))


def kernel_fn(x, scale=None):
    if scale is None:
        scale = 1.0 / math.sqrt(x.shape[-1])
    rows, columns = x.shape[0], x.shape[1]
    block = min(LIMIT // x.element_size(), triton.next_power_of_2(columns))
    if columns > block:
        raise RuntimeError("rows of over 64 KB are not supported")
    y = torch.empty(x.shape, device=x.device, dtype=x.dtype)
    softmax_kernel[(rows,)](x, y, x.stride(0), columns, BLOCK=block, num_warps=warps_for(block))
    return y


def verify():
    x = torch.randn((512, 781), device="cuda")
    error = (kernel_fn(x) - torch.softmax(x, dim=1)).abs().max().item()
    print("VERIFY: PASS" if error < 1e-5 else f"VERIFY: FAIL max_abs_err={error}")


if __name__ == "__main__":
    verify()
