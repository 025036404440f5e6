"""Collects what a host function puts on the stream: the plan's buffers, kernels and steps."""

from __future__ import annotations

import json
import mmap
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

import torch

from .kernel_source import OWN_PREFIX
from .torch_device import Refused

_MAP_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)
#: A plan of more steps is a loop gone wild; the runner launches each of them.
MAX_STEPS = 10000


def reserve(nbytes: int) -> tuple[mmap.mmap, torch.Tensor]:
    """Addresses for `nbytes` bytes (page-aligned) that cost no memory until they are written.

    Shared, since limits on a process's memory count private mappings whether touched or not.
    """
    flags = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
    try:
        area = mmap.mmap(-1, max(nbytes, 1), flags=flags)
    except (OSError, OverflowError) as error:
        raise Refused(f"an allocation of {nbytes} bytes failed: {error}") from error
    return area, torch.frombuffer(area, dtype=torch.uint8)


def extent(size: tuple[int, ...], stride: tuple[int, ...], itemsize: int) -> int:
    """Bytes from the first element to the end of the last one; 0 for an empty tensor."""
    if 0 in size:
        return 0
    return (1 + sum((n - 1) * s for n, s in zip(size, stride))) * itemsize


@dataclass
class Buffer:
    """Memory of the plan. `area` keeps the addresses taken for as long as the recording lasts."""

    name: str
    address: int
    nbytes: int
    scratch: bool
    area: Any


class PlanRecorder:
    """A plan in the making."""

    def __init__(self) -> None:
        self._buffers: list[Buffer] = []
        self._kernels: list[dict[str, Any]] = []
        self._kernel_index: dict[str, int] = {}
        self._steps: list[dict[str, Any]] = []
        self.refusal: str | None = None

    def refuse(self, message: str) -> Refused:
        """The exception to raise. The first refusal stays, whatever the host code catches."""
        if self.refusal is None:
            self.refusal = message
        return Refused(message)

    def allocate(self, size: tuple[int, ...], stride: tuple[int, ...], dtype: torch.dtype,
                 name: str = "") -> torch.Tensor:
        """A tensor in a new buffer; scratch unless it is a named operand."""
        nbytes = extent(size, stride, dtype.itemsize)
        area, flat = reserve(nbytes + (-nbytes % dtype.itemsize))
        label = name or f"scratch{sum(buffer.scratch for buffer in self._buffers)}"
        self._buffers.append(Buffer(label, flat.data_ptr(), nbytes, not name, (area, flat)))
        return torch.as_strided(flat[: max(nbytes, dtype.itemsize)].view(dtype) if nbytes
                                else torch.empty(0, dtype=dtype), size, stride)

    def locate(self, address: int, what: str) -> tuple[int, int]:
        """(buffer, byte offset) of an address. Raises Refused where no buffer holds it."""
        for index, buffer in enumerate(self._buffers):
            if buffer.address <= address < buffer.address + buffer.nbytes:
                return index, address - buffer.address
        raise self.refuse(f"{what} points to memory that the recorded call did not allocate; "
                          "use the operands and tensors made by torch.empty or torch.zeros "
                          "inside the entry function")

    def buffer(self, index: int) -> Buffer:
        return self._buffers[index]

    def _step(self, step: dict[str, Any]) -> None:
        if len(self._steps) >= MAX_STEPS:
            raise self.refuse(f"the host function puts more than {MAX_STEPS} steps on the stream")
        self._steps.append(step)

    def launch(self, kernel: dict[str, Any], grid: tuple[int, int, int],
               arguments: list[dict[str, Any]]) -> None:
        """Records a launch; equal kernels are listed once."""
        key = json.dumps(kernel, sort_keys=True)
        index = self._kernel_index.setdefault(key, len(self._kernels))
        if index == len(self._kernels):
            self._kernels.append(kernel)
        self._step({"kind": "launch", "kernel": index, "grid": list(grid),
                    "arguments": arguments})

    def fill(self, buffer: int, offset: int, nbytes: int, pattern: bytes) -> None:
        self._step({"kind": "fill", "buffer": buffer, "offset": offset, "bytes": nbytes,
                    "pattern": list(pattern)})

    def copy(self, source: int, source_offset: int, target: int, target_offset: int,
             nbytes: int) -> None:
        self._step({"kind": "copy", "source": source, "source_offset": source_offset,
                    "target": target, "target_offset": target_offset, "bytes": nbytes})

    @property
    def launches(self) -> int:
        """Of the file's own kernels."""
        return sum(step["kind"] == "launch" and
                   not self._kernels[step["kernel"]]["kernel"].startswith(OWN_PREFIX)
                   for step in self._steps)

    def finish(self, outputs: Mapping[int, str], order: Sequence[str]) -> dict[str, Any]:
        """The plan. `outputs` gives the buffers that hold the results their operands' names;
        operands come in `order`, then scratch, of which what no step uses is left out.
        """
        used = {index for step in self._steps for index in _buffers_of(step)}
        kept: list[tuple[int, str, bool]] = []
        for index, buffer in enumerate(self._buffers):
            if index in outputs:
                kept.append((index, outputs[index], False))
            elif buffer.name in outputs.values():
                if index in used:  # The operand served as a workspace beside the true result.
                    kept.append((index, f"unreturned_{buffer.name}", True))
            elif not buffer.scratch or index in used:
                kept.append((index, buffer.name, buffer.scratch))
        place = {name: i for i, name in enumerate(order)}
        kept.sort(key=lambda entry: (place.get(entry[1], len(place)), entry[0]))
        moved = {old: new for new, (old, _, _) in enumerate(kept)}
        return {
            "kernels": self._kernels,
            "buffers": [{"name": name, "bytes": self._buffers[old].nbytes, "scratch": scratch}
                        for old, name, scratch in kept],
            "steps": [_renumber(step, moved) for step in self._steps]}


_BUFFER_FIELDS = ("buffer", "source", "target")


def _buffers_of(step: dict[str, Any]) -> list[int]:
    found = [step[name] for name in _BUFFER_FIELDS if name in step]
    for argument in step.get("arguments", ()):
        found += _buffers_of(argument)
    return found


def _renumber(step: dict[str, Any], moved: dict[int, int]) -> dict[str, Any]:
    result = {name: moved[value] if name in _BUFFER_FIELDS else value
              for name, value in step.items()}
    if "arguments" in step:
        result["arguments"] = [_renumber(argument, moved) for argument in step["arguments"]]
    return result
