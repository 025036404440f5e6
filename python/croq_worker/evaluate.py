"""Reads the configurations of a file's autotuners by importing it, for forked children.

What is looked for: autotuners that the module holds, in classes and in literal tables too. With
values for parameters their pruners are called as Triton calls them before it tunes.
"""

from __future__ import annotations

import math
import traceback
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Callable, Iterator, Mapping

import torch

from . import confine, fields, script, stub_driver, torch_device
from .fields import MessageError
from .messages import RUNTIME, Device, cut, failure

#: A list of more configurations is cut; nobody tunes over so many.
MAX_CONFIGS = 5000
#: Processor time in units of the deadline: torch's threads may work side by side.
CPU_SHARE = 4.0


@dataclass(frozen=True)
class EvaluateRequest:
    """Import `source` and say what its autotuners hold; `shape` has parameters' values."""

    source: str
    shape: Mapping[str, int] = field(default_factory=dict)
    device: Device = field(default_factory=Device)
    timeout_s: float = 60.0

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "EvaluateRequest":
        device = message.get("device")
        request = EvaluateRequest(
            source=fields.get(message, "source", str), shape=fields.integers(message, "shape"),
            device=Device.decode(device) if isinstance(device, dict) else Device(),
            timeout_s=fields.get(message, "timeout_s", float, 60.0))
        if not request.timeout_s > 0:
            raise MessageError("field 'timeout_s': must be above 0")
        return request


def evaluate(request: EvaluateRequest) -> dict[str, Any]:
    """The "evaluated" reply's fields. It changes torch and Triton for good."""
    try:
        confine.leave_network()
        confine.limit(cpu_seconds=CPU_SHARE * request.timeout_s)
        stub_driver.activate(request.device)
        torch_device.install(request.device)
        _launch_nothing()
        with torch_device.DeviceMode(refuse_reads=False), torch.no_grad():
            module = script.load(request.source)
            kernels = [_describe(name, tuner, request.shape)
                       for name, tuner in find_tuners(module, request.source)]
        return {"ok": True, "kernels": kernels}
    except BaseException as error:  # SystemExit too: a child must always answer
        traceback.print_exception(error)
        place = script.place_in(request.source, error.__traceback__)
        return failure(RUNTIME, type(error).__name__,
                       f"importing it failed: {_named(error)}{place}")


def _named(error: BaseException) -> str:
    """Its class and what it says, if it says anything."""
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _launch_nothing() -> None:
    """Launches at import, of a file's own tests say, do nothing: their results are not asked for."""
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    def nothing(_kernel: Any, *_arguments: Any, **_keywords: Any) -> None:
        return None

    Autotuner.run = nothing
    JITFunction.run = nothing


def find_tuners(module: ModuleType, source: str) -> Iterator[tuple[str, Any]]:
    """(path in the module, autotuner) of each whose kernel the file defines, each once."""
    seen: set[int] = set()
    for name, value in list(vars(module).items()):
        for path, item in _spread(name, value, module.__name__, 0):
            tuner = _tuner_of(item)
            if tuner is not None and id(tuner) not in seen and _is_of(tuner, source):
                seen.add(id(tuner))
                yield path, tuner


def _spread(path: str, value: Any, module: str, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > 3:
        return
    if isinstance(value, type) and value.__module__ == module:
        for name, item in list(vars(value).items()):
            inner = item.__func__ if isinstance(item, (staticmethod, classmethod)) else item
            yield from _spread(f"{path}.{name}", inner, module, depth + 1)
    elif type(value) is dict:
        for key, item in list(value.items())[:1000]:
            yield from _spread(f"{path}[{key!r}]", item, module, depth + 1)
    elif type(value) in (list, tuple):
        for index, item in enumerate(value[:1000]):
            yield from _spread(f"{path}[{index}]", item, module, depth + 1)
    else:
        yield path, value


def _tuner_of(value: Any) -> Any:
    """The autotuner in a stack of decorators, Triton's own or one that is built like it."""
    for _ in range(10):
        made = vars(value) if hasattr(value, "__dict__") and not isinstance(value, type) else {}
        if "configs" in made and "fn" in made:
            return value
        if "fn" not in made:
            return None
        value = made["fn"]
    return None


def _function_of(tuner: Any) -> Any:
    """The kernel's Python function."""
    value = tuner
    for _ in range(10):
        if hasattr(value, "__code__"):
            return value
        value = getattr(value, "fn", None)
    return None


def _is_of(tuner: Any, source: str) -> bool:
    function = _function_of(tuner)
    return function is not None and function.__code__.co_filename == source


def _describe(name: str, tuner: Any, shape: Mapping[str, int]) -> dict[str, Any]:
    function = _function_of(tuner)
    configs = list(tuner.configs)
    pruned, problem = _prune(tuner, configs, shape) if shape else (None, "")
    return {"name": name, "function": function.__name__,
            "line": function.__code__.co_firstlineno,
            "configs": [_encode(config) for config in configs[:MAX_CONFIGS]],
            "prunes": _has_pruner(tuner) and pruned is not None,
            "pruned": [_encode(config) for config in (pruned or [])[:MAX_CONFIGS]],
            "problem": cut(problem)}


def _has_pruner(tuner: Any) -> bool:
    return bool(getattr(tuner, "early_config_prune", None) or getattr(tuner, "perf_model", None))


def _constexpr_names(tuner: Any) -> set[str]:
    value = tuner
    for _ in range(10):
        if hasattr(value, "params"):
            return {p.name for p in value.params if p.is_constexpr}
        value = getattr(value, "fn", None)
    return set()


class _Named(dict):  # type: ignore[type-arg]
    """named_args: what the shape gives; for addresses a small tensor stands in."""

    def __init__(self, values: Mapping[str, Any], parameters: list[str]) -> None:
        super().__init__(values)
        self._parameters = parameters
        self.missing: str | None = None

    def __missing__(self, key: str) -> Any:
        if key in self._parameters and ("ptr" in key.lower() or "desc" in key.lower()):
            return torch.empty(1, dtype=torch.float16)
        if key in self._parameters:
            self.missing = key
        raise KeyError(key)


def _prune(tuner: Any, configs: list[Any],
           shape: Mapping[str, int]) -> tuple[list[Any] | None, str]:
    """What the pruner leaves at this shape, and what is wrong with it."""
    if not _has_pruner(tuner):
        return None, ""
    constexprs = _constexpr_names(tuner)
    parameters = [name for name in tuner.arg_names if name not in constexprs]
    named = _Named({name: shape[name] for name in parameters if name in shape}, parameters)
    keywords = {name: value for name, value in shape.items() if name in constexprs}
    if problem := _bad_top_k(tuner):
        return None, problem
    at = ", ".join(f"{name}={value}" for name, value in shape.items())
    tuner.nargs = named
    try:
        pruned = list(tuner.prune_configs(keywords))
    except BaseException as error:
        if named.missing is not None:
            return None, (f"the pruner reads {named.missing}, which --shape does not name: "
                          f"add {named.missing}=...")
        if type(error).__name__ == "AutotunerError" or not _from_pruner(tuner, error):
            return [], f"pruner removed all {len(configs)} configs at {at}"
        return None, _words_of(tuner, error, constexprs)
    finally:
        tuner.nargs = None
    if not pruned:
        return [], f"pruner removed all {len(configs)} configs at {at}"
    return pruned, ""


def _bad_top_k(tuner: Any) -> str:
    if not getattr(tuner, "perf_model", None):
        return ""
    top_k = getattr(tuner, "configs_top_k", None)
    if isinstance(top_k, bool) or not isinstance(top_k, (int, float)) or math.isnan(top_k) \
            or top_k <= 0 or (isinstance(top_k, float) and top_k > 1.0):
        return (f"top_k is {top_k!r}: it must be a count of at least 1, or a share above 0.0 and "
                "up to 1.0 of all configurations")
    return ""


def _pruner_code(tuner: Any) -> set[Any]:
    names: list[Callable[..., Any] | None] = [getattr(tuner, "early_config_prune", None),
                                              getattr(tuner, "perf_model", None)]
    return {function.__code__ for function in names if hasattr(function, "__code__")}


def _from_pruner(tuner: Any, error: BaseException) -> bool:
    """Whether the person's function was running; without one that can be told, yes."""
    codes = _pruner_code(tuner)
    if not codes:
        return True
    running = error.__traceback__
    while running is not None:
        if running.tb_frame.f_code in codes:
            return True
        running = running.tb_next
    return isinstance(error, TypeError)  # it was called with arguments that it does not take


def _words_of(tuner: Any, error: BaseException, constexprs: set[str]) -> str:
    place = script.place_in(_function_of(tuner).__code__.co_filename, error.__traceback__)
    words = f"the pruner fails, a bug of its own: {_named(error)}{place}"
    if isinstance(error, KeyError) and error.args and error.args[0] in constexprs:
        words += (f"; {error.args[0]} is a constexpr: passed by keyword it is in **kwargs, not in "
                  "named_args")
    return words


def _encode(config: Any) -> dict[str, Any]:
    options = {name: value for name in ("num_warps", "num_stages", "num_ctas", "maxnreg")
               if isinstance(value := getattr(config, name, None), int)}
    kwargs = {str(name): _value(value) for name, value in config.kwargs.items()}
    if getattr(config, "ir_override", None) is not None:
        kwargs["ir_override"] = _value(config.ir_override)
    return {"kwargs": kwargs, "options": options,
            "pre_hook": getattr(config, "pre_hook", None) is not None}


def _value(value: Any) -> dict[str, Any]:
    """{"value": literal}, or {"text": repr} of what is none."""
    if value is None or type(value) in (bool, str):
        return {"value": value}
    if type(value) is int and abs(value) < 1 << 63:
        return {"value": value}
    if type(value) is float and math.isfinite(value):
        return {"value": value}
    return {"text": cut(repr(value), 200)}
