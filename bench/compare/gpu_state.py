"""Clock, power and throttle reasons while the GPU is timed, from NVML, the driver's library."""

from __future__ import annotations

import ctypes
import statistics
from typing import Any

# nvml.h: nvmlClockType_t, and nvmlClocksThrottleReasons.
_CLOCK_SM = 1
_REASONS = {0x4: "software power cap", 0x8: "hardware slowdown", 0x20: "software thermal",
            0x40: "hardware thermal", 0x80: "hardware power brake"}


def reasons(mask: int) -> list[str]:
    """The names of a mask's bits that slow a GPU down."""
    return [text for bit, text in _REASONS.items() if mask & bit]


class GpuState:
    """Samples of one GPU. Without NVML every sample is empty."""

    def __init__(self, uuid: str) -> None:
        """`uuid` as torch gives it, with or without GPU- before it."""
        self._samples: list[tuple[int, float]] = []
        self._mask = 0
        self._device = ctypes.c_void_p()
        self._nvml: Any = None
        try:
            nvml = ctypes.CDLL("libnvidia-ml.so.1")
            if nvml.nvmlInit_v2() == 0 and self._find(nvml, uuid):
                self._nvml = nvml
        except (OSError, AttributeError):
            pass

    def _find(self, nvml: Any, uuid: str) -> bool:
        """By its id; the only GPU of a machine without one too."""
        name = uuid if uuid.startswith("GPU-") else f"GPU-{uuid}"
        if nvml.nvmlDeviceGetHandleByUUID(name.encode(), ctypes.byref(self._device)) == 0:
            return True
        count = ctypes.c_uint()
        return (nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0 and count.value == 1
                and nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self._device)) == 0)

    def driver(self) -> str:
        """The driver's version, or nothing."""
        if self._nvml is None:
            return ""
        text = ctypes.create_string_buffer(96)
        return text.value.decode() if self._nvml.nvmlSystemGetDriverVersion(text, 96) == 0 else ""

    def power_limit_w(self) -> float | None:
        """What the board may draw."""
        value = ctypes.c_uint()
        if self._nvml is None or self._nvml.nvmlDeviceGetEnforcedPowerLimit(
                self._device, ctypes.byref(value)) != 0:
            return None
        return value.value / 1e3

    def sample(self) -> None:
        """Notes the state of now."""
        if self._nvml is None:
            return
        clock, power, mask = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_ulonglong()
        if (self._nvml.nvmlDeviceGetClockInfo(self._device, _CLOCK_SM, ctypes.byref(clock)) == 0
                and self._nvml.nvmlDeviceGetPowerUsage(self._device, ctypes.byref(power)) == 0):
            self._samples.append((clock.value, power.value / 1e3))
        if self._nvml.nvmlDeviceGetCurrentClocksThrottleReasons(
                self._device, ctypes.byref(mask)) == 0:
            self._mask |= mask.value

    def take(self) -> dict[str, Any] | None:
        """What was noted since the last call, reduced; None where nothing was."""
        samples, mask = self._samples, self._mask
        self._samples, self._mask = [], 0
        if not samples:
            return None
        clocks, power = zip(*samples)
        return {"sm_clock_mhz": _spread(clocks), "power_w": _spread(power),
                "throttled_by": reasons(mask)}


def _spread(values: tuple[float, ...]) -> dict[str, float]:
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}
