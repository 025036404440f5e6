"""Records kernel launches by standing in for Triton's compiler.

JITFunction.run specialises the arguments exactly as on a GPU and asks for a compiled kernel; it is
given one that writes its launch down. Nothing is compiled in this process.
"""

from __future__ import annotations

from typing import Any, Callable

import triton
from triton.backends.compiler import GPUTarget

from .fields import MessageError
from .kernel_source import OWN_FILE, OWN_PREFIX
from .messages import encode_real
from .plan_recorder import PlanRecorder
from .signature import leaves, parameters_of

#: Options that plans always name; others only where they differ from the default.
_ALWAYS = ("num_warps", "num_stages", "num_ctas")
#: Set by the backend from the target, whatever the launch says.
_IGNORED = {"arch", "backend_name"}
_INTEGERS = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"}
_REALS = {"fp16", "bf16", "fp32", "fp64"}


class RecordedKernel:
    """What the JIT takes for a compiled kernel."""

    function = None
    packed_metadata = None

    def __init__(self, recorder: "LaunchRecorder", source: Any, options: dict[str, Any]) -> None:
        self._recorder = recorder
        self._source = source
        self._options = options

    def launch_metadata(self, *_arguments: Any) -> None:
        return None

    def run(self, grid_x: Any, grid_y: Any, grid_z: Any, _stream: Any, _function: Any,
            _packed: Any, _metadata: Any, _enter: Any, _exit: Any, *arguments: Any) -> None:
        self._recorder.launch(self._source, self._options, (grid_x, grid_y, grid_z), arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "result":  # the JIT asks whether it is a future
            raise AttributeError(name)
        raise self._recorder.refuse(f"the host function reads '{name}' of a compiled kernel, but "
                                    "nothing is compiled while it is recorded")


class LaunchRecorder:
    """Puts every launch of the file's kernels into the plan."""

    def __init__(self, plan: PlanRecorder, source_path: str, place: Callable[[], str]) -> None:
        self._plan = plan
        self._path = source_path
        self._place = place
        #: The script's namespace, set once it is imported.
        self.namespace: dict[str, Any] = {}
        self.recording = False

    def install(self) -> None:
        """Replaces triton.compile where the JIT takes it from, and the autotuner's way in."""
        import triton.compiler
        from triton.runtime.autotuner import Autotuner

        triton.compiler.compile = self._compile

        def refuse_autotune(tuner: Any, *_arguments: Any, **_keywords: Any) -> Any:
            name = getattr(tuner, "__name__", None) or getattr(
                getattr(tuner, "base_fn", None), "__name__", "a kernel")
            raise self.refuse(f"'{name}' is launched through @triton.autotune; pin one "
                              "configuration first")

        Autotuner.run = refuse_autotune

    def refuse(self, message: str) -> Exception:
        return self._plan.refuse(message + self._place())

    def _compile(self, src: Any, target: GPUTarget | None = None, options: Any = None,
                 **_more: Any) -> RecordedKernel:
        return RecordedKernel(self, src, self._options(target, dict(options or {})))

    def _options(self, target: GPUTarget | None, options: dict[str, Any]) -> dict[str, int]:
        target = target or triton.runtime.driver.active.get_current_target()
        defaults = vars(triton.compiler.make_backend(target).parse_options({}))
        result: dict[str, int] = {}
        for name, value in options.items():
            if name in _IGNORED or name not in defaults:
                continue
            if name not in _ALWAYS and value == defaults[name]:
                continue
            if not isinstance(value, int):
                raise self.refuse(f"launch option {name}={value!r} can't be part of a plan")
            result[name] = int(value)
        return result

    def launch(self, source: Any, options: dict[str, int], grid: tuple[Any, Any, Any],
               arguments: tuple[Any, ...]) -> None:
        """Records one launch, or refuses it."""
        fn = source.fn
        own = fn.fn.__code__.co_filename == OWN_FILE
        if not own:
            self._check_kernel(fn)
        if not self.recording:
            raise self.refuse(f"kernel '{fn.__name__}' is launched while the file is imported")
        attrs = source.attrs if isinstance(source.attrs, dict) else {}
        try:
            parameters = parameters_of(source.signature, source.constants, attrs)
            values = [
                self._argument(flat, kind, _at(arguments, path))
                for index, (name, entry) in enumerate(source.signature.items())
                for flat, kind, path in leaves(name, entry, (index,)) if kind != "constexpr"]
        except MessageError as error:
            raise self.refuse(f"kernel '{fn.__name__}': {error}") from error
        sizes = [int(n) for n in grid]
        if min(sizes) < 0:
            raise self.refuse(f"kernel '{fn.__name__}' has the grid {tuple(sizes)}")
        if 0 in sizes:
            return  # Triton launches nothing then.
        name = OWN_PREFIX + fn.__name__ if own else fn.__name__
        kernel = {"kernel": name, "parameters": [p.encode() for p in parameters],
                  "options": options}
        self._plan.launch(kernel, (sizes[0], sizes[1], sizes[2]), values)

    def _check_kernel(self, fn: Any) -> None:
        name = fn.__name__
        if getattr(fn, "is_gluon", lambda: False)():
            raise self.refuse(f"kernel '{name}' is a Gluon kernel; only triton.jit is supported")
        found = self.namespace.get(name)
        while hasattr(found, "fn") and found is not fn:  # heuristics around it
            found = found.fn
        if fn.fn.__code__.co_filename != self._path or (self.recording and found is not fn):
            raise self.refuse(
                f"kernel '{name}' (line {fn.fn.__code__.co_firstlineno} of "
                f"{fn.fn.__code__.co_filename}) is not the top-level function '{name}' of the "
                "candidate's file, which is what gets compiled")

    def _argument(self, name: str, kind: Any, value: Any) -> dict[str, Any]:
        if kind.startswith("*"):
            buffer, offset = self._plan.locate(value.data_ptr(), f"argument '{name}'")
            return {"kind": "pointer", "buffer": buffer, "offset": offset}
        if kind.startswith("tensordesc<"):
            return self._descriptor(name, value)
        if kind in ("u1", "i1") or kind in _INTEGERS:
            number = int(value)
            # 64-bit unsigned values travel as the signed number of the same bits.
            number = number - (1 << 64) if number >= 1 << 63 else number
            return {"kind": "scalar", "type": kind, "integer": number, "real": 0.0}
        if kind in _REALS:
            return {"kind": "scalar", "type": kind, "integer": 0,
                    "real": encode_real(float(value))}
        raise self.refuse(f"argument '{name}' is of type '{kind}', which a plan can't hold")

    def _descriptor(self, name: str, value: Any) -> dict[str, Any]:
        if getattr(value, "round_f32_to_tf32", False):
            raise self.refuse(f"descriptor '{name}' asks for round_f32_to_tf32, which a plan "
                              "can't hold")
        buffer, offset = self._plan.locate(value.base.data_ptr(), f"descriptor '{name}'")
        return {"kind": "descriptor", "buffer": buffer, "offset": offset,
                "shape": [int(n) for n in value.shape],
                "strides": [int(n) for n in value.strides],
                "nan_padding": getattr(value, "padding", "zero") == "nan"}


def _at(arguments: tuple[Any, ...], path: tuple[int, ...]) -> Any:
    value: Any = arguments
    for index in path:
        value = value[index]
    return value
