"""Requests and replies as dataclasses, and their JSON (the C++ side: croq/protocol)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, Mapping

from . import fields
from .dtypes import facts_of
from .fields import MessageError

#: Outcomes a worker may report, by their names in the engine.
COMPILE, RUNTIME, TIMEOUT, CORRECTNESS = "compile", "runtime", "timeout", "correctness"

#: A reply's message is cut to this many characters.
MAX_MESSAGE = 2000

#: Control characters other than tabs and line ends.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_VALUE_KINDS = {"int": int, "bool": bool, "float": float, "string": str, "dtype": str}
_NON_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def cut(text: str, limit: int = MAX_MESSAGE) -> str:
    """`text` with at most `limit` characters, those that steer a terminal as Python's escapes."""
    text = _STEERING.sub(lambda found: repr(found.group())[1:-1], text[:limit + 1])
    return text if len(text) <= limit else text[: limit - 4] + " ..."


def encode_real(value: float) -> float | str:
    """A float for the wire: JSON has no word for the non-finite ones."""
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")


#: Elements along K (and of B along N) that share a scale in blockscale_gemm.
SCALE_BLOCK = 128


@dataclass(frozen=True)
class ConstexprValue:
    """A compile-time constant: kind int, bool, float, string, dtype (Triton's name) or none."""

    kind: str
    value: int | bool | float | str | None = None

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "ConstexprValue":
        """Reads {"kind": ..., "value": ...}."""
        kind = fields.get(message, "kind", str)
        if kind == "none":
            return ConstexprValue("none")
        if kind not in _VALUE_KINDS:
            raise MessageError(f"field 'kind': '{kind}' is no kind of constant")
        if kind == "float" and message.get("value") in _NON_FINITE:
            return ConstexprValue(kind, _NON_FINITE[message["value"]])
        return ConstexprValue(kind, fields.get(message, "value", _VALUE_KINDS[kind]))

    def encode(self) -> dict[str, Any]:
        """{"kind": ..., "value": ...}; none has the value null."""
        if self.kind == "float":
            assert isinstance(self.value, float)
            return {"kind": "float", "value": encode_real(self.value)}
        return {"kind": self.kind, "value": self.value}


@dataclass(frozen=True)
class KernelParameter:
    """One parameter after Triton's specialisation rules; `value` where type is "constexpr".

    An element of a tuple argument is named "<parameter>.<index>".
    """

    name: str
    type: str
    divisible: bool = False
    value: ConstexprValue | None = None

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "KernelParameter":
        name = fields.get(message, "name", str)
        kind = fields.get(message, "type", str)
        try:
            value = None
            if kind == "constexpr":
                value = ConstexprValue.decode(fields.get(message, "value", dict))
            return KernelParameter(name, kind, fields.get(message, "divisible", bool, False), value)
        except MessageError as error:
            raise MessageError(f"parameter '{name}': {error}") from error

    def encode(self) -> dict[str, Any]:
        if self.value is not None:
            return {"name": self.name, "type": self.type, "value": self.value.encode()}
        return {"name": self.name, "type": self.type, "divisible": self.divisible}


@dataclass(frozen=True)
class CompileRequest:
    """One kernel of a source file to turn into a cubin in folder `out`.

    `line_info` puts line tables into the cubin; a kernel that needs more than `shared_limit` bytes
    of shared memory is refused before ptxas (0: no limit).
    """

    source: str
    kernel: str
    parameters: list[KernelParameter]
    options: dict[str, int]
    target: int
    out: str
    line_info: bool = True
    shared_limit: int = 0

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "CompileRequest":
        return CompileRequest(
            source=fields.get(message, "source", str),
            kernel=fields.get(message, "kernel", str),
            parameters=[KernelParameter.decode(p) for p in fields.objects(message, "parameters")],
            options=fields.integers(message, "options"),
            target=fields.get(message, "target", int),
            out=fields.get(message, "out", str),
            line_info=fields.get(message, "line_info", bool, True),
            shared_limit=fields.get(message, "shared_limit", int, 0))

    def encode(self) -> dict[str, Any]:
        return {"type": "compile", "source": self.source, "kernel": self.kernel,
                "parameters": [p.encode() for p in self.parameters], "options": self.options,
                "target": self.target, "out": self.out, "line_info": self.line_info,
                "shared_limit": self.shared_limit}


@dataclass(frozen=True)
class Device:
    """The GPU that the host code must believe it runs on. Sizes in bytes."""

    name: str = "NVIDIA H200"
    compute_capability: int = 90
    sm_count: int = 132
    shared_bytes_per_block: int = 232448
    l2_bytes: int = 62914560
    memory_bytes: int = 150754820096

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "Device":
        return Device(**{name: fields.get(message, name, type(default))
                         for name, default in vars(Device()).items()})


@dataclass(frozen=True)
class Problem:
    """What the entry computes: C [m, n] = A [m, k] @ B [k, n], with B as [n, k] in matmul_nt and
    blockscale_gemm. Of scaled dtypes the entry also takes scale_a and scale_b after b: one scale a
    tensor, or in blockscale_gemm one for 1 x 128 elements of A and 128 x 128 of B."""

    source: str
    entry: str
    operator: str
    dtype: str
    m: int
    n: int
    k: int
    device: Device = field(default_factory=Device)
    timeout_s: float = 60.0

    @staticmethod
    def decode(message: Mapping[str, Any]) -> "Problem":
        device = Device.decode(message["device"]) if isinstance(message.get("device"), dict) \
            else Device()
        problem = Problem(
            source=fields.get(message, "source", str), entry=fields.get(message, "entry", str),
            operator=fields.get(message, "operator", str),
            dtype=fields.get(message, "dtype", str), m=fields.get(message, "m", int),
            n=fields.get(message, "n", int), k=fields.get(message, "k", int), device=device,
            timeout_s=fields.get(message, "timeout_s", float, 60.0))
        if problem.operator not in ("matmul", "matmul_nt", "blockscale_gemm"):
            raise MessageError(f"field 'operator': '{problem.operator}' is not known here; "
                               "known are matmul, matmul_nt and blockscale_gemm")
        facts_of(problem.dtype)
        for name in ("m", "n", "k"):
            if getattr(problem, name) < 1:
                raise MessageError(f"field '{name}': must be at least 1")
        return problem

    @property
    def b_is_nk(self) -> bool:
        return self.operator != "matmul"

    @property
    def b_shape(self) -> tuple[int, int]:
        return (self.n, self.k) if self.b_is_nk else (self.k, self.n)

    def scale_shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Of A's and B's float32 scales; None where the dtype has none."""
        if not facts_of(self.dtype).scaled:
            return None
        if self.operator != "blockscale_gemm":
            return (1,), (1,)
        steps = -(-self.k // SCALE_BLOCK)
        return (self.m, steps), (-(-self.n // SCALE_BLOCK), steps)


def failure(outcome: str, error: str, message: str, **more: Any) -> dict[str, Any]:
    """The fields of a reply that says what became of a candidate that did not get through."""
    return {"ok": False, "outcome": outcome, "error": error, "message": cut(message), **more}
