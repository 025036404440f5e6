# expect: accept
"""Cold code compiles ahead and reads the kernel's registers."""
import torch
import triton
import triton.language as tl


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


def kernel_fn(x):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.stride(0), x.shape[1], BLOCK=1024)
    return y


def registers(x):
    compiled = softmax_kernel.warmup(x, x, x.stride(0), x.shape[1], BLOCK=1024, grid=(1,))
    compiled._init_handles()
    return compiled.n_regs, compiled.metadata.shared


def verify():
    x = torch.randn((512, 781), device="cuda")
    error = (kernel_fn(x) - torch.softmax(x, dim=1)).abs().max().item()
    print("VERIFY: PASS" if error < 1e-5 else f"VERIFY: FAIL max_abs_err={error}")


if __name__ == "__main__":
    verify()
