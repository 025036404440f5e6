# croq pin --index 0
"""Host descriptors whose block shape the hook fills in."""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


def set_block(nargs):
    nargs["x_desc"].block_shape = [nargs["BM"], nargs["BN"]]
    nargs["y_desc"].block_shape = [nargs["BM"], nargs["BN"]]


@triton.autotune(configs=[triton.Config({"BM": 16, "BN": 32}, num_warps=4, pre_hook=set_block)], key=["M"])
@triton.jit
def copy(x_desc, y_desc, M, BM: tl.constexpr, BN: tl.constexpr):
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    y_desc.store(at, x_desc.load(at))


def launch(x):
    y = torch.empty_like(x)
    x_desc = TensorDescriptor.from_tensor(x, [1, 1])
    y_desc = TensorDescriptor.from_tensor(y, [1, 1])
    copy[lambda meta: (triton.cdiv(x.shape[0], meta["BM"]), triton.cdiv(x.shape[1], meta["BN"]))](
        x_desc,
        y_desc,
        x.shape[0],
    )
    return y


def make_inputs():
    return (torch.zeros(64, 64, dtype=torch.float16),)
