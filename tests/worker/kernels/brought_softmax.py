"""A brought file: one kernel, an output that the entry makes, a grid by function."""

import torch
import triton
import triton.language as tl

BLOCK = 512
NUM_WARPS = 4


@triton.heuristics({"EVEN": lambda args: args["columns"] % args["BLOCK"] == 0})
@triton.jit
def softmax_kernel(x_ptr, y_ptr, columns, scale, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=mask, other=-float("inf")).to(tl.float32) * scale
    e = tl.exp(x - tl.max(x, 0))
    y = e / tl.sum(e, 0)
    tl.store(y_ptr + row * columns + at, y.to(y_ptr.dtype.element_ty), mask=mask)


def softmax(x, scale=1.0, causal=None):
    assert x.is_cuda and causal is None
    y = torch.empty_like(x)
    softmax_kernel[lambda meta: (x.shape[0],)](x, y, x.shape[1], scale, BLOCK=BLOCK,
                                               num_warps=NUM_WARPS)
    return y


def wrong(x, scale=1.0, causal=None):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0] - 1,)](x, y, x.shape[1], scale, BLOCK=BLOCK)
    return y


def returns_input(x, scale=1.0, causal=None):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], scale, BLOCK=BLOCK)
    return x


def returns_view(x, scale=1.0, causal=None):
    y = torch.empty((x.shape[0] + 1, x.shape[1]), dtype=x.dtype, device=x.device)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], scale, BLOCK=BLOCK)
    return y[:-1]


def returns_columns(x, scale=1.0, causal=None):
    y = torch.empty((x.shape[1], x.shape[0]), dtype=x.dtype, device=x.device)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], scale, BLOCK=BLOCK)
    return y.t()


def returns_float(x, scale=1.0, causal=None):
    y = torch.empty_like(x, dtype=torch.float32)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], scale, BLOCK=BLOCK)
    return y


def returns_nothing(x, scale=1.0, causal=None):
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, x.shape[1], scale, BLOCK=BLOCK)


def returns_two(x, scale=1.0, causal=None):
    y = softmax(x, scale)
    return y, softmax(y, scale)


def by_torch(x, scale=1.0, causal=None):
    y = softmax(x, scale)
    return torch.softmax(y, -1)


def softmax_reference(x, scale):
    return torch.softmax(x * scale, -1)


def float_reference(x):
    assert x.dtype == torch.float32
    return x


def narrow_reference(x):
    return torch.softmax(x, -1)[:-1]


def infinite_reference(x):
    return torch.log(torch.zeros_like(x))


def huge_reference(x):
    return x.abs() + 1e6


def pair_reference(x):
    return x, x


def integer_reference(x):
    return torch.zeros(x.shape, dtype=torch.int32)


def greedy_reference(x, weight):
    return x * weight


def failing_reference(x):
    raise ValueError("on purpose")


def endless_reference(x):
    while True:
        pass
