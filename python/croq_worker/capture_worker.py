"""The capture mode: runs a file's host function with a recorder in the GPU's place, or imports a
file for the configurations that it makes.

The parent has torch and Triton loaded and never runs a candidate nor compiles; each request gets a
forked child, which is thrown away.
"""

from __future__ import annotations

import inspect
import traceback
from typing import Any, Mapping, Protocol

import torch
import triton  # noqa: F401 (loaded once, before any fork)

from . import script, stub_driver, torch_device
from .brought import Brought
from .brought_call import BroughtCall
from .child import ChildDied, ChildRunner
from .dtypes import facts_of
from .evaluate import EvaluateRequest, evaluate
from .launch_recorder import LaunchRecorder
from .messages import COMPILE, RUNTIME, Device, Problem, failure
from .plan_recorder import PlanRecorder
from .serve import hello, serve
from .torch_device import Refused
from .torch_recorder import TorchRecorder

#: Names that an optional parameter behind the inputs must have to be taken for the output.
_OUTPUT_NAMES = {"c", "C", "out", "output"}


def takes_output(function: Any, inputs: int = 2) -> bool:
    """Whether the entry is called with c behind its `inputs`: entry(a, b, c), not entry(a, b)."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    positional = [p for p in parameters
                  if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(positional) <= inputs:
        return False
    behind = positional[inputs]
    return behind.name in _OUTPUT_NAMES or behind.default is inspect.Parameter.empty


class Call(Protocol):
    """One recorded call of an entry: the operands' buffers, the call, the finished plan."""

    @property
    def entry(self) -> str: ...
    def allocate(self, plan: PlanRecorder) -> None: ...
    def run(self, function: Any) -> Any: ...
    def finish(self, plan: PlanRecorder, result: Any) -> dict[str, Any]: ...


class MatmulCall:
    """entry(a, b) or entry(a, b, c), which returns C; of scaled dtypes scale_a, scale_b follow b."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._c_given = False

    @property
    def entry(self) -> str:
        return self._problem.entry

    def allocate(self, plan: PlanRecorder) -> None:
        """a, b, c and the scales of the problem, row-major, as the plan's first buffers."""
        problem = self._problem
        facts = facts_of(problem.dtype)
        operand = facts.operand_dtype()
        a = plan.allocate((problem.m, problem.k), (problem.k, 1), operand, "a")
        b = plan.allocate(problem.b_shape, (problem.b_shape[1], 1), operand, "b")
        self._c = plan.allocate((problem.m, problem.n), (problem.n, 1), facts.result_dtype(), "c")
        self._inputs = [a, b]
        self._names = ["a", "b", "c"]
        for name, shape in zip(("scale_a", "scale_b"), problem.scale_shapes() or ()):
            strides = (shape[1], 1) if len(shape) == 2 else (1,)
            self._inputs.append(plan.allocate(shape, strides, torch.float32, name))
            self._names.append(name)

    def run(self, function: Any) -> Any:
        self._c_given = takes_output(function, len(self._inputs))
        return function(*self._inputs, self._c) if self._c_given else function(*self._inputs)

    def finish(self, plan: PlanRecorder, result: Any) -> dict[str, Any]:
        """The reply's fields. Raises Refused where the result is not C."""
        output = self._output_buffer(plan, self._c if result is None and self._c_given else result)
        return {"plan": plan.finish({output: "c"}, tuple(self._names)), "returned": "c",
                "allocated_output": plan.buffer(output).scratch}

    def _output_buffer(self, plan: PlanRecorder, result: Any) -> int:
        """The buffer that holds the result."""
        problem = self._problem
        if not isinstance(result, torch.Tensor):
            raise Refused(f"{problem.entry} returned {type(result).__name__}, not C")
        with torch._C.DisableTorchFunction():
            shape, stride = tuple(result.size()), tuple(result.stride())
            address, dtype = result.data_ptr(), result.dtype
        if shape != (problem.m, problem.n) or dtype != self._c.dtype:
            raise Refused(f"{problem.entry} returned a tensor of shape {shape} and {dtype}; C is "
                          f"{(problem.m, problem.n)} and {self._c.dtype}")
        index, offset = plan.locate(address, "the returned tensor")
        buffer = plan.buffer(index)
        if buffer.name in self._names and buffer.name != "c":
            raise Refused(f"{problem.entry} returned its operand {buffer.name}")
        if stride != (problem.n, 1) and 1 not in shape or offset != 0 \
                or buffer.nbytes != problem.m * problem.n * dtype.itemsize:
            raise Refused(f"{problem.entry} returned a view with strides {stride} at byte {offset} "
                          f"of a tensor of {buffer.nbytes} bytes; C must be row-major in memory of "
                          "its own")
        return index


def capture(call: Call, source: str, device: Device) -> dict[str, Any]:
    """The "captured" reply's fields. For a forked child: it changes torch and Triton for good."""
    plan = PlanRecorder()

    def place() -> str:
        return script.place_in(source)

    launches = LaunchRecorder(plan, source, place)
    recorder = TorchRecorder(plan, place)
    try:
        stub_driver.activate(device)
        torch_device.install(device)
        launches.install()
        call.allocate(plan)
        with torch_device.DeviceMode(refuse_reads=True), recorder, torch.no_grad():
            module = script.load(source)
            function = script.entry(module, call.entry)
            launches.namespace = vars(module)
            recorder.recording = launches.recording = True
            result = call.run(function)
            recorder.recording = launches.recording = False
        if plan.refusal is not None:
            raise Refused(plan.refusal)
        if plan.launches == 0:
            raise Refused(f"{call.entry} launched no kernel of the file")
        return {"ok": True, **call.finish(plan, result)}
    except BaseException as error:  # SystemExit too: a child must always answer
        return _failure(error, source, plan)


def _failure(error: BaseException, source: str, plan: PlanRecorder) -> dict[str, Any]:
    if plan.refusal is not None:
        return failure(RUNTIME, "Refused", plan.refusal)
    place = script.place_in(source, error.__traceback__)
    if isinstance(error, Refused):
        return failure(RUNTIME, "Refused", f"{error}{place}")
    traceback.print_exception(error)
    if isinstance(error, SyntaxError):
        return failure(COMPILE, "SyntaxError",
                       f"{error.filename}:{error.lineno}:{error.offset}: {error.msg}")
    outcome = COMPILE if any(c.__name__ == "CompilationError" for c in type(error).__mro__) \
        else RUNTIME
    return failure(outcome, type(error).__name__, f"{type(error).__name__}: {error}{place}")


class CaptureHandler:
    """Answers "capture" requests."""

    def __init__(self, children: ChildRunner) -> None:
        self._children = children

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        call: Call
        task: Problem | Brought
        if message.get("problem") is not None:
            task = Brought.decode(message)
            call = BroughtCall(task)
        else:
            task = Problem.decode(message)
            call = MatmulCall(task)
        result = self._children.run(lambda: capture(call, task.source, task.device),
                                    task.timeout_s)
        if isinstance(result, ChildDied):
            result = result.reply(call.entry)
        return {"type": "captured", **result}


class EvaluateHandler:
    """Answers "evaluate" requests."""

    def __init__(self, children: ChildRunner) -> None:
        self._children = children

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        request = EvaluateRequest.decode(message)
        result = self._children.run(lambda: evaluate(request), request.timeout_s)
        if isinstance(result, ChildDied):
            result = result.reply("the import")
        return {"type": "evaluated", **result}


def run(read_fd: int, write_fd: int) -> int:
    """Serves until the engine closes its end; the process's exit code."""
    children = ChildRunner(private_fds=(read_fd, write_fd))
    return serve(read_fd, write_fd, hello("capture", ("triton", "torch")),
                 {"capture": CaptureHandler(children), "evaluate": EvaluateHandler(children)})
