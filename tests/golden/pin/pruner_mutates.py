# croq pin --index 0
"""The pruner changes a configuration in place."""
import torch
import triton
import triton.language as tl


def fewer_stages(configs, named_args, **kwargs):
    for config in configs:
        config.num_stages = 1
    return configs


@triton.autotune(configs=[triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 512})], key=["n"],
                 prune_configs_by={"early_config_prune": fewer_stages})
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
