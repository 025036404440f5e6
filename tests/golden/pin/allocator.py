# croq pin --config "BM=16,BN=32"
"""The launcher sets an allocator: it stays."""
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BM": m, "BN": 32}) for m in (16, 64)], key=["M", "N"])
@triton.jit
def copy(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    x_desc = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    y_desc = tl.make_tensor_descriptor(y, [M, N], [N, 1], [BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    y_desc.store(at, x_desc.load(at))


def launch(x):
    triton.set_allocator(lambda size, align, stream: torch.empty(size, device=x.device, dtype=torch.int8))
    y = torch.empty_like(x)
    M, N = x.shape
    copy[lambda m: (triton.cdiv(M, m["BM"]), triton.cdiv(N, m["BN"]))](x, y, M, N)
    return y


def make_inputs():
    return (torch.zeros(64, 64, dtype=torch.float16),)
