# croq pin --config BLOCK=128
"""The same: what the pruner returns is given."""
import torch
import triton
import triton.language as tl


def halved(configs, named_args, **kwargs):
    return [triton.Config({"BLOCK": c.kwargs["tile"] // 2}) for c in configs]


@triton.autotune(configs=[triton.Config({"tile": 256}), triton.Config({"tile": 512})], key=["n"],
                 prune_configs_by={"early_config_prune": halved})
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n)
    return y


def make_inputs():
    return (torch.arange(1000, dtype=torch.float32),)
