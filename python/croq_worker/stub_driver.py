"""A Triton driver without a GPU: it answers for a target device and launches nothing.

Triton asks its active driver for the target even while it only compiles: without one,
tl.target_info's tests are silently false, and a kernel that branches on them becomes another one.
"""

from __future__ import annotations

from typing import Any

from triton.backends.compiler import GPUTarget
from triton.runtime import driver

from .messages import Device

WARP_SIZE = 32


class NoDevice(RuntimeError):
    """Something that needs a real GPU."""


class _Utils:
    """What host code reads through `driver.active.utils`."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def get_device_properties(self, _ordinal: int) -> dict[str, int]:
        device = self._device
        return {"max_shared_mem": device.shared_bytes_per_block, "max_num_regs": 65536,
                "multiprocessor_count": device.sm_count, "warpSize": WARP_SIZE,
                "sm_clock_rate": 1980000, "mem_clock_rate": 3201000, "mem_bus_width": 6144}

    def load_binary(self, *_arguments: Any) -> Any:
        raise NoDevice("a kernel was loaded, but this process has no GPU")


class StubDriver:
    """Stands for `device`; everything that would touch a GPU raises NoDevice."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.utils = _Utils(device)

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", self._device.compute_capability, WARP_SIZE)

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, _ordinal: int) -> None:
        pass

    def get_current_stream(self, _ordinal: int) -> int:
        return 0

    def get_device_capability(self, _ordinal: int = 0) -> tuple[int, int]:
        return divmod(self._device.compute_capability, 10)

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cuda", 0)

    def get_device_interface(self) -> Any:
        import torch

        return torch.cuda

    def is_active(self) -> bool:
        return True

    def launcher_cls(self, *_arguments: Any) -> Any:
        raise NoDevice("a kernel was launched, but this process has no GPU")

    def get_benchmarker(self) -> Any:
        raise NoDevice("a kernel was benchmarked in the launch path; there is no GPU here, and "
                       "candidates must not tune themselves")

    def get_empty_cache_for_benchmark(self) -> Any:
        return self.get_benchmarker()

    def clear_cache(self, _cache: Any) -> None:
        pass

    def map_python_to_cpp_type(self, kind: str) -> str:
        return kind


def activate(device: Device) -> None:
    """Makes Triton believe that it runs on `device`."""
    driver.set_active(StubDriver(device))
