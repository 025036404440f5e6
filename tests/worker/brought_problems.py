"""Problems of the files kernels/brought_*.py, in the form in which the engine sends them."""

from __future__ import annotations

from typing import Any


def tensor(name: str, shape: list[int], element: str = "fp16", role: str = "input",
           distribution: str = "normal", first: float = 0.0, second: float = 1.0
           ) -> dict[str, Any]:
    return {"name": name, "element": element, "shape": shape, "role": role,
            "distribution": distribution, "first": first, "second": second}


def problem(entry: str, reference: str, tensors: list[dict[str, Any]],
            arguments: dict[str, Any], dtype: str = "f16fp32") -> dict[str, Any]:
    """`arguments`: a tensor's name as {"tensor": name}, or a literal."""
    names = [t["name"] for t in tensors]
    listed = [{"name": name, "tensor": names.index(value["tensor"])} if isinstance(value, dict)
              else {"name": name, "value": value} for name, value in arguments.items()]
    return {"shape_key": f"{entry}_{dtype}_1", "operator": entry, "dtype": dtype,
            "dims": {"names": ["M"], "values": [1]}, "entry": entry, "reference": reference,
            "tensors": tensors, "arguments": listed, "flops": 0.0, "bytes": 0.0,
            "absolute_tolerance": 0.0}


def same(*names: str) -> dict[str, Any]:
    return {name: {"tensor": name} for name in names}


def softmax(entry: str = "softmax", reference: str = "softmax_reference", element: str = "fp16",
            rows: int = 64, columns: int = 500, dtype: str = "f16fp32") -> dict[str, Any]:
    shape = [rows, columns]
    return problem(entry, reference, [tensor("x", shape, element),
                                      tensor("y", shape, element, "output")],
                   {**same("x"), "scale": 0.5, "causal": None}, dtype)


def rmsnorm(entry: str = "rmsnorm", rows: int = 64, columns: int = 500) -> dict[str, Any]:
    shape = [rows, columns]
    return problem(entry, "rmsnorm_reference",
                   [tensor("x", shape), tensor("weight", [columns], "fp32", "input", "uniform",
                                               0.5, 1.5),
                    tensor("residual", shape, role="inout"), tensor("y", shape, role="output"),
                    tensor("count", [rows], "i32", "output")],
                   {**same("x", "residual", "weight", "y"), "eps": 1e-6})


def splitk(m: int = 64, n: int = 96, k: int = 256) -> dict[str, Any]:
    return problem("splitk", "splitk_reference",
                   [tensor("a", [m, k]), tensor("b", [k, n]), tensor("c", [m, n], role="output")],
                   same("a", "b"))


def attention(length: int = 96, width: int = 64) -> dict[str, Any]:
    shape = [2, 2, length, width]
    return problem("attention", "attention_reference",
                   [*(tensor(name, shape) for name in ("q", "k", "v")),
                    tensor("o", shape, role="output"),
                    tensor("lse", shape[:3], "fp32", "output")],
                   {**same("q", "k", "v"), "scale": 0.125})
