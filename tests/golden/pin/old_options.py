# croq pin --index 1
"""Keywords of other releases and backends."""
import torch
import triton
import triton.language as tl

CONFIGS = [
    triton.Config({"BLOCK": 128}, num_warps=4, num_consumer_groups=2, num_buffers_warp_spec=3),
    triton.Config({"BLOCK": 256, "waves_per_eu": 2, "matrix_instr_nonkdim": 16}, num_warps=8),
    triton.Config(meta={"BLOCK": 128}, num_warps=4, enable_warp_specialization=True),
]


@triton.autotune(configs=CONFIGS, key=["n"], cache_results=True, use_cuda_graph=True, warmup=5, rep=20)
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y
