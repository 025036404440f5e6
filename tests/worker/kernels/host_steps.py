"""Host functions that use torch around one small kernel: what a plan holds, and what it refuses."""

import os
import time

import torch
import triton
import triton.language as tl


@triton.jit
def touch(x_ptr, n, scale):
    at = tl.program_id(0) * 16 + tl.arange(0, 16)
    tl.store(x_ptr + at, tl.load(x_ptr + at, mask=at < n) * scale, mask=at < n)


@triton.autotune(configs=[triton.Config({}, num_warps=4)], key=[])
@triton.jit
def tuned(x_ptr, n):
    tl.store(x_ptr, n)


@triton.heuristics({"EVEN": lambda args: args["n"] % 2 == 0})
@triton.jit
def guessed(x_ptr, n, EVEN: tl.constexpr):
    tl.store(x_ptr, n)


def launch(x):
    touch[(1,)](x, x.numel(), 0.5)


def copies(a, b, c):
    half = b[:, : b.shape[1] // 2].contiguous()
    whole = b.clone()
    whole[1:].copy_(a[1:])
    ones = torch.full((3, 5), 1.0, device=a.device, dtype=torch.bfloat16)
    views = c.reshape(-1).view(c.shape).t().unsqueeze(0)
    launch(half), launch(whole), launch(ones), launch(views)
    return c


def own_output(a, b):
    c = torch.empty((a.shape[0], b.shape[1]), dtype=a.dtype, device="cuda:0")
    launch(c.fill_(2.0))
    return c


def unused_scratch(a, b, c):
    torch.zeros(1024, device="cuda")[:0].fill_(1)
    keep = torch.empty(1024, device="cuda")
    launch(c)
    return c


def with_heuristics(a, b, c):
    guessed[(1,)](c, 4)
    return c


def matmul(a, b, c):
    return torch.matmul(a, b, out=c)


def operator_matmul(a, b, c):
    launch(c)
    return a @ b


def swallowed(a, b, c):
    try:
        c = a.mm(b)
    except Exception:
        launch(c)
    return c


def reads(a, b, c):
    launch(c)
    return c if a[0, 0].item() else b


def reads_list(a, b, c):
    return c if a.tolist() else b


def transposed_copy(a, b, c):
    launch(b.t().contiguous())
    return c


def only_copies(a, b, c):
    c.t().contiguous()
    return c


def converts(a, b, c):
    launch(a.to(torch.float32))
    return c


def host_table(a, b, c):
    launch(torch.tensor([1.0, 2.0]))
    return c


def no_launch(a, b, c):
    return c


def returns_operand(a, b, c):
    launch(c)
    return a


def returns_view(a, b, c):
    launch(c)
    return c.t()


def autotunes(a, b, c):
    tuned[(1,)](c, 1)
    return c


def side_stream(a, b, c):
    with torch.cuda.stream(torch.cuda.Stream()):
        launch(c)
    return c


def raises(a, b, c):
    raise ValueError("on purpose")


def bad_option(a, b, c):
    touch[(1,)](c, 1, 1.0, num_wraps=4)
    return c


def hang(a, b, c):
    if os.fork() == 0:
        time.sleep(600)
    while True:
        pass


def abort(a, b, c):
    os.abort()


def leave(a, b, c):
    os._exit(0)


def leave_politely(a, b, c):
    raise SystemExit(3)
