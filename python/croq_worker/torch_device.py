"""Makes torch on the CPU answer as if its tensors lay on the target GPU.

Host code asks torch.cuda for the device's properties, asserts `x.is_cuda`, and allocates with
device="cuda" or device=x.device. Answers come from the request's device; tensors are the CPU's.
Not covered: C++ extensions that look at a tensor's device themselves, and torch.version.cuda.
"""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any, Callable

import torch
from torch.overrides import TorchFunctionMode

from .messages import Device


class Refused(Exception):
    """Host code did what a launch plan can't hold; the text names it."""


def _refuse(what: str, why: str) -> Callable[..., Any]:
    def refuse(*_arguments: Any, **_keywords: Any) -> Any:
        raise Refused(f"{what} {why}")
    return refuse


class _Stream:
    """The one stream there is."""

    cuda_stream = 0
    stream_id = 0
    device = torch.device("cuda", 0)

    def synchronize(self) -> None:
        pass

    def query(self) -> bool:
        return True


class _DeviceGuard(contextlib.nullcontext):  # type: ignore[type-arg]
    """torch.cuda.device(x): there is one device, so nothing changes."""


def _properties(device: Device) -> SimpleNamespace:
    major, minor = divmod(device.compute_capability, 10)
    return SimpleNamespace(
        name=device.name, major=major, minor=minor, total_memory=device.memory_bytes,
        multi_processor_count=device.sm_count, warp_size=32,
        max_threads_per_multi_processor=2048, max_threads_per_block=1024,
        regs_per_multiprocessor=65536, shared_memory_per_block=49152,
        shared_memory_per_block_optin=device.shared_bytes_per_block,
        shared_memory_per_multiprocessor=device.shared_bytes_per_block + 1024,
        L2_cache_size=device.l2_bytes, is_integrated=False, is_multi_gpu_board=False,
        gcnArchName="")


def install(device: Device) -> None:
    """Replaces torch.cuda's questions by answers. For a forked child: there is no way back."""
    properties = _properties(device)
    stream = _Stream()
    answers: dict[str, Any] = {
        "is_available": lambda: True, "is_initialized": lambda: True, "init": lambda: None,
        "_lazy_init": lambda: None, "device_count": lambda: 1, "current_device": lambda: 0,
        "set_device": lambda _device: None, "synchronize": lambda _device=None: None,
        "get_device_properties": lambda _device=None: properties,
        "get_device_name": lambda _device=None: device.name,
        "get_device_capability": lambda _device=None: (properties.major, properties.minor),
        "current_stream": lambda _device=None: stream,
        "default_stream": lambda _device=None: stream,
        "mem_get_info": lambda _device=None: (device.memory_bytes, device.memory_bytes),
        "is_bf16_supported": lambda *_a, **_k: device.compute_capability >= 80,
        "empty_cache": lambda: None, "manual_seed": lambda _seed: None,
        "manual_seed_all": lambda _seed: None, "device": _DeviceGuard, "device_of": _DeviceGuard,
        "is_current_stream_capturing": lambda: False}
    streams = "is not for a launch path: everything goes to the current stream"
    for name in ("Stream", "ExternalStream", "stream", "set_stream"):
        answers[name] = _refuse(f"torch.cuda.{name}", streams)
    for name in ("CUDAGraph", "graph", "make_graphed_callables"):
        answers[name] = _refuse(f"torch.cuda.{name}", "can't be replayed as part of a plan")
    answers["Event"] = _refuse("torch.cuda.Event", "needs a GPU; croq does the timing")
    for name, answer in answers.items():
        setattr(torch.cuda, name, answer)


#: Ways out of a tensor that torch's dispatcher doesn't see.
_READS = {"numpy", "tolist", "__array__", "__dlpack__", "item", "cpu", "storage",
          "share_memory_"}


class DeviceMode(TorchFunctionMode):
    """Takes "cuda" in torch calls for the CPU, and says of every tensor that it is on cuda:0.

    With `refuse_reads`, calls that look into a tensor raise Refused: tensors hold nothing.
    """

    def __init__(self, refuse_reads: bool) -> None:
        super().__init__()
        self._refuse_reads = refuse_reads

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "__get__":
            attribute = getattr(getattr(func, "__self__", None), "__name__", "")
            if attribute == "is_cuda":
                return True
            if attribute == "device":
                real = func(*args, **kwargs)
                return real if real.type == "meta" else torch.device("cuda", 0)
        elif name == "get_device":
            return 0
        elif name == "cuda":
            return args[0]
        elif self._refuse_reads and name in _READS:
            raise Refused(f"Tensor.{name} reads a tensor's values; they exist on the GPU alone")
        args = tuple(_on_cpu(value) for value in args)
        if "device" in kwargs:
            kwargs = dict(kwargs, device=_on_cpu(kwargs["device"], bare_index=True))
        return func(*args, **kwargs)


def _on_cpu(value: Any, bare_index: bool = False) -> Any:
    """`value`, or the CPU where it names a GPU (an index does so only as `device=`)."""
    if isinstance(value, torch.device):
        return torch.device("cpu") if value.type == "cuda" else value
    if isinstance(value, str) and (value == "cuda" or value.startswith("cuda:")):
        return "cpu"
    if bare_index and isinstance(value, int) and not isinstance(value, bool):
        return "cpu"
    return value
