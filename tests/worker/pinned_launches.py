"""What a kernel file launches: the kernels it would compile, their PTX and their arguments.

Nothing touches a GPU: a stub stands for the driver, and a launch is written down instead of made.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import triton
import triton.compiler
from croq_worker import stub_driver
from croq_worker.messages import Device
from triton.backends.nvidia.compiler import CUDABackend
from triton.runtime.autotuner import Autotuner, Config

_OPTIONS = ("num_warps", "num_ctas", "num_stages", "maxnreg")


@dataclass
class Request:
    """The pin that a file's first line asks for."""

    kernel: str = ""
    index: int | None = None
    #: kernel -> values; "" where no kernel is named.
    values: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, source: str) -> "Request":
        words = shlex.split(source.splitlines()[0].removeprefix("# croq pin"))
        given = dict(zip(words[::2], words[1::2]))
        request = cls(kernel=given.get("--kernel", "").split(":")[0])
        if "--index" in given:
            request.index = int(given["--index"])
        for part in given.get("--config", "").split(","):
            if part:
                name, value = part.strip().split("=")
                kernel, _, lever = name.rpartition(".")
                request.values.setdefault(kernel, {})[lever] = int(value)
        return request

    def config(self, tuner: Autotuner) -> Config:
        """The configuration that the request gives to an autotuner."""
        if self.index is not None:
            return tuner.configs[self.index]
        values = dict(self.values.get(tuner.base_fn.__name__) or self.values[""])
        options = {name: values.pop(name) for name in _OPTIONS if name in values}
        wanted = Config(values, **options)
        same = [c for c in tuner.configs if c.all_kwargs() == wanted.all_kwargs()]
        if same:
            return same[0]
        hooks = {config.pre_hook for config in tuner.configs}
        assert len(hooks) == 1, "which hook is meant can't be told"
        wanted.pre_hook = hooks.pop()
        return wanted


def force(request: Request) -> None:
    """Has every autotuner settle on the request's configuration, without a trial."""
    run, bench, warmup = Autotuner.run, Autotuner._bench, Autotuner.warmup

    def settle(tuner: Autotuner, only: bool) -> None:
        wanted = getattr(tuner, "croq_wanted", None) or request.config(tuner)
        tuner.croq_wanted = wanted
        if only or wanted not in tuner.configs or tuner.early_config_prune or tuner.perf_model:
            tuner.configs = [wanted]

    def forced(tuner: Autotuner, *args: Any, **kwargs: Any) -> Any:
        settle(tuner, only=False)
        return run(tuner, *args, **kwargs)

    def warmed(tuner: Autotuner, *args: Any, **kwargs: Any) -> Any:
        settle(tuner, only=True)
        return warmup(tuner, *args, **kwargs)

    def judged(tuner: Autotuner, *_args: Any, config: Config, **_meta: Any) -> list[float]:
        return [float(config != tuner.croq_wanted)] * 3

    for name, function in (("run", forced), ("_bench", judged), ("warmup", warmed)):
        setattr(Autotuner, name, function)
    _UNDO.extend(lambda n=name, f=function: setattr(Autotuner, n, f)
                 for name, function in (("run", run), ("_bench", bench), ("warmup", warmup)))


_UNDO: list[Any] = []


class Recorder:
    """Stands for triton.compile; `events` is what came, in order."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self._tensors: dict[int, str] = {}
        self._compile = triton.compiler.compile

    def compile(self, src: Any, target: Any = None, options: Any = None, **_more: Any) -> Any:
        compiled = self._compile(src, target=target, options=options)
        event = {"kernel": src.fn.__name__, "signature": dict(src.signature),
                 "constants": {str(k): str(v) for k, v in src.constants.items()},
                 "attrs": str(src.attrs), "ptx": code_of(compiled.asm["ptx"])}
        self.events.append({"compile": event})
        return RecordedKernel(self, event)

    def argument(self, value: Any) -> Any:
        """A tensor by its order of appearance and its content; others by their text."""
        if isinstance(value, torch.Tensor):
            name = self._tensors.setdefault(value.data_ptr(), f"t{len(self._tensors)}")
            return (name, str(value.dtype), str(value.double().sum().item()), tuple(value.shape))
        if hasattr(value, "block_shape"):
            return ("descriptor", list(value.block_shape), self.argument(value.base))
        return str(value)


class RecordedKernel:
    """What the JIT takes for a compiled kernel."""

    function = packed_metadata = None

    def __init__(self, recorder: Recorder, event: dict[str, Any]) -> None:
        self._recorder, self._event = recorder, event

    def launch_metadata(self, *_arguments: Any) -> None:
        return None

    def run(self, x: Any, y: Any, z: Any, *rest: Any) -> None:
        arguments = [self._recorder.argument(value) for value in rest[6:]]
        self._recorder.events.append({"launch": self._event["kernel"], "grid": (x, y, z),
                                      "ptx": self._event["ptx"], "arguments": arguments})


def code_of(ptx: str) -> str:
    """PTX without what names the file it came from."""
    lines = [line for line in ptx.splitlines() if not re.match(r"\s*(\.loc|\.file|//)", line)]
    return "\n".join(lines).split("\t.section\t.debug")[0]


def load(path: Path) -> ModuleType:
    """Imports a file under a name that does not depend on it: callees' symbols hold the name."""
    spec = importlib.util.spec_from_file_location("pinned_case", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["pinned_case"] = module
    spec.loader.exec_module(module)
    return module


def launches(path: Path, request: Request | None = None) -> list[dict[str, Any]]:
    """What `launch(*make_inputs())` of the file compiles and launches; with a request, under an
    autotuner that settles on it. The result comes last."""
    recorder = Recorder()
    triton.compiler.compile = recorder.compile
    if request is not None:
        force(request)
    try:
        module = load(path)
        result = module.launch(*module.make_inputs())
        if hasattr(module, "prepare"):
            module.prepare(*(x := module.make_inputs()), x[0], 1)
    finally:
        triton.compiler.compile = recorder._compile
        while _UNDO:
            _UNDO.pop()()
    recorder.events.append({"result": recorder.argument(result)})
    return recorder.events


def set_up(compute_capability: int = 90) -> None:
    """Once a process: a stub driver, and compiles that stop at PTX."""
    torch.use_deterministic_algorithms(True)  # torch.empty gives NaN, not what lies about
    stub_driver.activate(Device(compute_capability=compute_capability))
    CUDABackend.make_cubin = lambda *_arguments, **_keywords: b"no cubin is made here"
