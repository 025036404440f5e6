"""A brought file: causal attention forward over (batch, heads, length, width) tensors, with the
row sums' logarithm as a second, float32 output."""

import torch
import triton
import triton.language as tl

BLOCK_M = 32
BLOCK_N = 32


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, length, scale, stride_head,
                     WIDTH: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    tile, head = tl.program_id(0), tl.program_id(1).to(tl.int64)
    rows = tile * BLOCK_M + tl.arange(0, BLOCK_M)
    wide = tl.arange(0, WIDTH)
    q = tl.load(q_ptr + head * stride_head + rows[:, None] * WIDTH + wide[None, :],
                mask=rows[:, None] < length, other=0.0)
    top = tl.full((BLOCK_M,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    out = tl.zeros((BLOCK_M, WIDTH), tl.float32)
    for start in range(0, (tile + 1) * BLOCK_M, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        at = head * stride_head + keys[:, None] * WIDTH + wide[None, :]
        k = tl.load(k_ptr + at, mask=keys[:, None] < length, other=0.0)
        s = tl.dot(q, tl.trans(k)) * scale
        s = tl.where((rows[:, None] >= keys[None, :]) & (keys[None, :] < length), s, -float("inf"))
        higher = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + at, mask=keys[:, None] < length, other=0.0)
        out = tl.dot(p.to(v.dtype), v, out * shrink[:, None])
        top = higher
    out /= total[:, None]
    tl.store(o_ptr + head * stride_head + rows[:, None] * WIDTH + wide[None, :],
             out.to(o_ptr.dtype.element_ty), mask=rows[:, None] < length)
    tl.store(lse_ptr + head * length + rows, top + tl.log(total), mask=rows < length)


def attention(q, k, v, scale):
    batch, heads, length, width = q.shape
    o = torch.empty_like(q)
    lse = torch.empty((batch, heads, length), dtype=torch.float32, device=q.device)
    attention_kernel[(triton.cdiv(length, BLOCK_M), batch * heads)](
        q, k, v, o, lse, length, scale, q.stride(1), WIDTH=width, BLOCK_M=BLOCK_M,
        BLOCK_N=BLOCK_N, num_warps=4, num_stages=2)
    return o, lse


def attention_reference(q, k, v, scale):
    length = q.shape[2]
    s = (q @ k.transpose(-1, -2)) * scale
    mask = torch.ones((length, length), dtype=torch.bool, device=q.device).tril()
    s = s.masked_fill(~mask, -float("inf"))
    return torch.softmax(s, -1) @ v, torch.logsumexp(s, -1)
