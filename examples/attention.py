"""Causal attention, forward: softmax(q k^T * scale) v with an online softmax. Tune it:
croq tune examples/attention.py"""

import torch
import triton
import triton.language as tl

CROQ = {
    "entry": "attention",
    "operator": "causal_attention",
    "dtype": "f16fp32",
    "dims": {"B": 4, "H": 16, "T": 4096, "D": 128},
    "inputs": {
        "q": {"shape": ["B", "H", "T", "D"], "dtype": "float16"},
        "k": {"shape": ["B", "H", "T", "D"], "dtype": "float16"},
        "v": {"shape": ["B", "H", "T", "D"], "dtype": "float16", "distribution": ["normal", 0, 0.2]},
    },
    "outputs": {"o": {"shape": ["B", "H", "T", "D"], "dtype": "float16"}},
    "reference": "attention_reference",
    # Two products of T x T x D, half of each masked out.
    "flops": "2*B*H*T*T*D",
    "bytes": "4*B*H*T*D*2",
}


def attention_reference(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


@triton.jit
def attend(o, row_sum, row_max, q, k_ptr, v_ptr, rows, first, last, T, SCALE,
           D: tl.constexpr, BLOCK_N: tl.constexpr, MASKED: tl.constexpr):
    d = tl.arange(0, D)
    for start in range(first, last, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)
        inside = columns < T
        k = tl.load(k_ptr + columns[None, :] * D + d[:, None], mask=inside[None, :], other=0.0)
        s = tl.dot(q, k) * SCALE
        if MASKED:
            s = tl.where(rows[:, None] >= columns[None, :], s, float("-inf"))
        new_max = tl.maximum(row_max, tl.max(s, axis=1))
        p = tl.exp2(s - new_max[:, None])
        shrink = tl.exp2(row_max - new_max)
        row_sum = row_sum * shrink + tl.sum(p, axis=1)
        v = tl.load(v_ptr + columns[:, None] * D + d[None, :], mask=inside[:, None], other=0.0)
        o = tl.dot(p.to(tl.float16), v, o * shrink[:, None])
        row_max = new_max
    return o, row_sum, row_max


@triton.autotune(
    configs=[
        triton.Config({"BLOCK_M": 128, "BLOCK_N": 64}, num_warps=4, num_stages=2),
        triton.Config({"BLOCK_M": 128, "BLOCK_N": 64}, num_warps=8, num_stages=3),
        triton.Config({"BLOCK_M": 128, "BLOCK_N": 128}, num_warps=8, num_stages=2),
        triton.Config({"BLOCK_M": 64, "BLOCK_N": 64}, num_warps=4, num_stages=3),
        triton.Config({"BLOCK_M": 64, "BLOCK_N": 128}, num_warps=4, num_stages=4),
    ],
    key=["T", "D"],
)
@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, T, SCALE, D: tl.constexpr,
                     BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # The last block of rows has the most columns: it goes first.
    block = tl.num_programs(0) - 1 - tl.program_id(0)
    base = tl.program_id(1).to(tl.int64) * T * D
    rows = block * BLOCK_M + tl.arange(0, BLOCK_M)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + base + rows[:, None] * D + d[None, :], mask=rows[:, None] < T, other=0.0)
    row_max = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    row_sum = tl.zeros((BLOCK_M,), dtype=tl.float32)
    o = tl.zeros((BLOCK_M, D), dtype=tl.float32)
    # Blocks of columns that lie wholly on or below the diagonal need no mask.
    whole = block * BLOCK_M // BLOCK_N * BLOCK_N
    o, row_sum, row_max = attend(o, row_sum, row_max, q, k_ptr + base, v_ptr + base, rows, 0, whole,
                                 T, SCALE, D, BLOCK_N, False)
    end = min((block + 1) * BLOCK_M, T)
    o, row_sum, row_max = attend(o, row_sum, row_max, q, k_ptr + base, v_ptr + base, rows, whole, end,
                                 T, SCALE, D, BLOCK_N, True)
    o = o / row_sum[:, None]
    tl.store(o_ptr + base + rows[:, None] * D + d[None, :], o.to(tl.float16), mask=rows[:, None] < T)


def attention(q, k, v):
    B, H, T, D = q.shape
    o = torch.empty_like(q)
    scale = 1.4426950408889634 / D**0.5  # exp2 instead of exp
    attention_kernel[lambda meta: (triton.cdiv(T, meta["BLOCK_M"]), B * H)](q, k, v, o, T, scale, D)
    return o
