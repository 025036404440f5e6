"""Records what torch itself puts on the stream while a host function runs: fills and copies.

torch.zeros and .contiguous() are part of a candidate's work; a plan without them would not be what
was run. Views cost nothing and pass. Every other operation is refused by name: the compute must be
in the kernels, and tensors hold no values here.
"""

from __future__ import annotations

import itertools
import math
import struct
from typing import Any, Callable

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .own_kernels import copy_strided
from .plan_recorder import PlanRecorder

#: Operations that only look at a tensor's memory in another way.
_VIEWS = {"view", "_unsafe_view", "_reshape_alias", "t", "transpose", "permute", "slice", "select",
          "unsqueeze", "squeeze", "expand", "as_strided", "alias", "detach", "split",
          "split_with_sizes", "unbind", "unfold", "narrow", "movedim"}
_EMPTY = {"empty", "empty_strided", "empty_like", "new_empty", "new_empty_strided"}
#: Allocations with contents; the index of `fill_value` among the positional arguments, or a value.
_FILLED: dict[str, tuple[int | None, int]] = {
    "zeros": (None, 0), "zeros_like": (None, 0), "new_zeros": (None, 0), "ones": (None, 1),
    "ones_like": (None, 1), "new_ones": (None, 1), "full": (1, 0), "full_like": (1, 0),
    "new_full": (2, 0)}
_READS = {"_local_scalar_dense": "reads a tensor's value", "equal": "reads tensors' values",
          "lift_fresh": "makes a tensor of host values (torch.tensor)"}
#: A strided fill becomes this many plain ones at most.
_MAX_PIECES = 1024
#: The same of a copy; others are one launch, as they are in torch.
_MAX_COPIES = 4
_FORMATS = {torch.float16: "<e", torch.float32: "<f", torch.float64: "<d", torch.int8: "<b",
            torch.uint8: "<B", torch.int16: "<h", torch.int32: "<i", torch.int64: "<q",
            torch.bool: "<?"}


def pattern_of(value: Any, dtype: torch.dtype) -> bytes | None:
    """The bytes of `value` as one element; None where its dtype or value has none."""
    if dtype == torch.bfloat16:
        # Round to nearest even, as torch does: through the upper half of a float32.
        if math.isnan(value):
            return b"\xc0\x7f"
        try:
            (bits,) = struct.unpack("<I", struct.pack("<f", float(value)))
        except OverflowError:
            bits = 0x7F800000 if value > 0 else 0xFF800000
        return struct.pack("<H", ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) & 0xFFFF)
    if dtype not in _FORMATS:
        if dtype.itemsize == 1 and value == 0:
            return b"\0"
        return None
    number = float(value) if dtype.is_floating_point else (bool(value) if dtype == torch.bool
                                                           else int(value))
    try:
        return struct.pack(_FORMATS[dtype], number)
    except (OverflowError, struct.error):
        return None


def pieces(size: tuple[int, ...], strides: list[tuple[int, ...]]) -> tuple[int, list[Any]] | None:
    """How to walk equally shaped tensors in runs that are contiguous in all of them.

    Gives (elements a run, [offsets in elements of each tensor, ...]); None above _MAX_PIECES.
    """
    if 0 in size:
        return 0, []
    dims = sorted((d for d in range(len(size)) if size[d] != 1),
                  key=lambda d: strides[0][d], reverse=True)
    run = 1
    while dims and all(stride[dims[-1]] == run for stride in strides):
        run *= size[dims.pop()]
    if math.prod(size[d] for d in dims) > _MAX_PIECES:
        return None
    offsets = [tuple(sum(i * stride[d] for i, d in zip(index, dims)) for stride in strides)
               for index in itertools.product(*(range(size[d]) for d in dims))]
    return run, offsets


class TorchRecorder(TorchDispatchMode):
    """Turns torch operations into steps of the plan, or refuses them."""

    def __init__(self, plan: PlanRecorder, place: Callable[[], str]) -> None:
        super().__init__()
        self._plan = plan
        self._place = place
        #: Off while the script is imported: what it makes then is no part of a call.
        self.recording = False

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Keeps torch from wrapping __torch_dispatch__, which imports torch._dynamo: two seconds
        in every child."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = func._schema.name.partition("::")[2]
        if not self.recording or name in _VIEWS:
            return func(*args, **kwargs)
        with torch._C.DisableTorchFunction():  # see tensors as they are: on the CPU
            if name in _EMPTY:
                return self._allocate(func, args, kwargs)
            if name in _FILLED:
                return self._allocate_filled(name, func, args, kwargs)
            if name in ("zero_", "fill_"):
                value = 0 if name == "zero_" else args[1]
                if isinstance(value, torch.Tensor):
                    raise self._refuse(func, "fills with a tensor's value")
                self._fill(func, args[0], value)
                return args[0]
            if name in ("copy_", "clone", "_to_copy"):
                return self._copy(name, func, args, kwargs)
        raise self._refuse(func, _READS.get(name, "is computed by torch"))

    def _refuse(self, func: Any, why: str) -> Exception:
        return self._plan.refuse(
            f"torch operation {func} {why}; a launch plan holds kernels, allocations, fills and "
            f"copies only, so do it in a Triton kernel{self._place()}")

    def _allocate(self, func: Any, args: Any, kwargs: Any) -> torch.Tensor:
        """Size, strides and dtype as torch would choose them, found out on the meta device."""
        meta_args = [_as_meta(value) for value in args]
        meta = func(*meta_args, **dict(kwargs, device="meta", pin_memory=False, layout=None))
        return self._plan.allocate(tuple(meta.size()), tuple(meta.stride()), meta.dtype)

    def _allocate_filled(self, name: str, func: Any, args: Any, kwargs: Any) -> torch.Tensor:
        result = self._allocate(func, args, kwargs)
        index, value = _FILLED[name]
        if index is not None:
            value = args[index] if len(args) > index else kwargs["fill_value"]
        self._fill(func, result, value)
        return result

    def _fill(self, func: Any, tensor: torch.Tensor, value: Any) -> None:
        pattern = pattern_of(value, tensor.dtype)
        if pattern is None:
            raise self._refuse(func, f"fills {tensor.dtype} with {value}, which has no bytes there")
        walk = pieces(tuple(tensor.size()), [tuple(tensor.stride())])
        if walk is None:
            raise self._refuse(func, f"fills more than {_MAX_PIECES} separate pieces of memory")
        if not tensor.numel():
            return
        buffer, start = self._plan.locate(tensor.data_ptr(), f"the target of {func}")
        size = tensor.element_size()
        for (offset,) in walk[1]:
            self._plan.fill(buffer, start + offset * size, walk[0] * size, pattern)

    def _copy(self, name: str, func: Any, args: Any, kwargs: Any) -> torch.Tensor:
        source = args[1] if name == "copy_" else args[0]
        if name == "copy_":
            target = args[0]
        else:
            if (dtype := kwargs.get("dtype")) is not None and dtype != source.dtype:
                raise self._refuse(func, f"converts {source.dtype} to {dtype}")
            meta = torch.ops.aten.clone(_as_meta(source),
                                        memory_format=kwargs.get("memory_format"))
            target = self._plan.allocate(tuple(meta.size()), tuple(meta.stride()), meta.dtype)
        if target.dtype != source.dtype:
            raise self._refuse(func, f"converts {source.dtype} to {target.dtype}")
        if target.size() != source.size():
            raise self._refuse(func, f"repeats {tuple(source.size())} over {tuple(target.size())}")
        walk = pieces(tuple(target.size()), [tuple(target.stride()), tuple(source.stride())])
        if not target.numel():
            return target
        if walk is None or len(walk[1]) > _MAX_COPIES:
            self._plan.locate(target.data_ptr(), f"the target of {func}")
            self._plan.locate(source.data_ptr(), f"the source of {func}")
            if not copy_strided(target, source):
                raise self._refuse(func, "moves memory in more pieces, or larger elements, than a "
                                   "kernel of croq's moves")
            return target
        to, to_start = self._plan.locate(target.data_ptr(), f"the target of {func}")
        origin, start = self._plan.locate(source.data_ptr(), f"the source of {func}")
        size = target.element_size()
        for to_offset, offset in walk[1]:
            self._plan.copy(origin, start + offset * size, to, to_start + to_offset * size,
                            walk[0] * size)
        return target


def _as_meta(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    return torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device="meta")
