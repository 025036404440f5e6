"""Calls a brought file's entry under the recorder, and finds its outputs among the buffers."""

from __future__ import annotations

from typing import Any

import torch

from .brought import Brought, TensorSpec
from .plan_recorder import PlanRecorder
from .torch_device import Refused


class BroughtCall:
    """One call of the entry with its arguments by name."""

    def __init__(self, problem: Brought) -> None:
        self._problem = problem
        self._tensors: dict[str, torch.Tensor] = {}

    @property
    def entry(self) -> str:
        return self._problem.entry

    def allocate(self, plan: PlanRecorder) -> None:
        """A buffer of its name for every tensor that is passed in."""
        returned = self._problem.returned
        for spec in self._problem.tensors:
            if spec not in returned:
                self._tensors[spec.name] = plan.allocate(spec.shape, spec.strides,
                                                         spec.torch_dtype(), spec.name)

    def run(self, function: Any) -> Any:
        return function(**self._problem.call_with(self._tensors))

    def finish(self, plan: PlanRecorder, result: Any) -> dict[str, Any]:
        """The reply's fields. Raises Refused where what came back is not the problem's outputs."""
        outputs = {self._buffer_of(plan, spec, tensor): spec.name
                   for spec, tensor in self._match(plan, _listed(result))}
        order = [spec.name for spec in self._problem.tensors]
        names = [name for name in order if name in outputs.values()]
        return {"plan": plan.finish(outputs, order), "returned": ", ".join(names),
                "allocated_output": any(plan.buffer(index).scratch for index in outputs)}

    def _match(self, plan: PlanRecorder, result: list[Any]) -> list[tuple[TensorSpec, Any]]:
        """Returned outputs in the table's order: all of them, or those that are not passed in.

        In-place tensors may follow; they must be the ones that were passed.
        """
        outputs, wanted = self._problem.of_role("output"), self._problem.returned
        inout = self._problem.of_role("inout")
        if not wanted and len(result) not in (len(outputs), len(outputs) + len(inout)):
            return []  # All are passed in, so what else comes back does not matter.
        for specs in (outputs, wanted):
            if len(result) in (len(specs), len(specs) + len(inout)):
                for spec, tensor in zip(inout, result[len(specs):]):
                    self._check_inout(plan, spec, tensor)
                return list(zip(specs, result))
        listed = ", ".join(spec.name for spec in wanted)
        raise Refused(f"{self.entry} returned {_words(result)}; wanted are, in this order, "
                      f"{listed}: the outputs that are none of its arguments")

    def _check_inout(self, plan: PlanRecorder, spec: TensorSpec, tensor: Any) -> None:
        if isinstance(tensor, torch.Tensor):
            with torch._C.DisableTorchFunction():
                address = tensor.data_ptr()
            if plan.buffer(plan.locate(address, f"what is returned as {spec.name}")[0]).name \
                    == spec.name:
                return
        raise Refused(f"{self.entry} returned something else in the place of the in-place tensor "
                      f"'{spec.name}': update the tensor that is passed")

    def _buffer_of(self, plan: PlanRecorder, spec: TensorSpec, tensor: Any) -> int:
        if not isinstance(tensor, torch.Tensor):
            raise Refused(f"{self.entry} returned a {type(tensor).__name__} for '{spec.name}', "
                          "which is a tensor")
        with torch._C.DisableTorchFunction():
            shape, stride = tuple(tensor.size()), tuple(tensor.stride())
            address, dtype = tensor.data_ptr(), tensor.dtype
        if shape != spec.shape or dtype != spec.torch_dtype():
            raise Refused(f"{self.entry} returned a tensor of shape {shape} and {dtype} for "
                          f"'{spec.name}', which is {spec.shape} and {spec.torch_dtype()}")
        index, offset = plan.locate(address, f"the returned tensor '{spec.name}'")
        buffer = plan.buffer(index)
        if not buffer.scratch and buffer.name != spec.name:
            raise Refused(f"{self.entry} returned its argument {buffer.name} for '{spec.name}'")
        matters = [(s, want) for s, want, n in zip(stride, spec.strides, shape) if n != 1]
        if any(s != want for s, want in matters) or offset != 0 or buffer.nbytes != spec.nbytes:
            raise Refused(f"{self.entry} returned a view with strides {stride} at byte {offset} of "
                          f"a tensor of {buffer.nbytes} bytes for '{spec.name}', which must be "
                          "row-major in memory of its own")
        return index


def _listed(result: Any) -> list[Any]:
    if result is None:
        return []
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _words(result: list[Any]) -> str:
    return {0: "nothing", 1: "one value"}.get(len(result), f"{len(result)} values")
