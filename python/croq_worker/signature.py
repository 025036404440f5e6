"""A compile request's parameters as triton.compile takes them, and back from a launch.

An element of a tuple argument is a parameter named "<parameter>.<index>" (nested tuples: more
indexes), in depth-first order; so plans and requests stay flat lists.
"""

from __future__ import annotations

from typing import Any, Iterator

from .fields import MessageError
from .messages import ConstexprValue, KernelParameter

#: Triton's attribute for a value (or address) that 16 divides.
_DIVISIBLE = [["tt.divisibility", 16]]

Path = tuple[int, ...]


class SignatureMismatch(Exception):
    """The request's parameters are not the kernel's."""


def to_python(value: ConstexprValue) -> Any:
    """The object that Triton must see; its hash and its front end take no stand-ins."""
    if value.kind == "dtype":
        import triton.language as tl

        return tl.dtype(value.value)
    return value.value


def from_python(value: Any) -> ConstexprValue:
    """A launch's constant. Raises MessageError for a kind that a request has no word for."""
    import triton.language as tl

    while isinstance(value, tl.constexpr):
        value = value.value
    if value is None:
        return ConstexprValue("none")
    if isinstance(value, bool):
        return ConstexprValue("bool", value)
    if isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 63:
            raise MessageError(f"the constant {value} does not fit 64 bits")
        return ConstexprValue("int", int(value))
    if isinstance(value, float):
        return ConstexprValue("float", float(value))
    if isinstance(value, str):
        return ConstexprValue("string", value)
    if isinstance(value, tl.dtype) and type(value) is tl.dtype:
        return ConstexprValue("dtype", str(value))
    raise MessageError(f"a constant of type {type(value).__name__} can't be passed on; use int, "
                       "bool, float, str, None or a tl dtype")


def build(names: list[str], defaults: dict[str, Any], parameters: list[KernelParameter]
          ) -> tuple[dict[str, Any], dict[Path, Any], dict[Path, Any]]:
    """(signature, constexprs, attrs) of a kernel whose parameters are `names`.

    `defaults` are taken for constexpr parameters that the request leaves out. Raises
    SignatureMismatch where the request does not fit the kernel.
    """
    given: dict[str, Any] = {}
    for parameter in parameters:
        head, _, rest = parameter.name.partition(".")
        if not rest:
            given[head] = parameter
        else:
            _insert(given.setdefault(head, {}), [int(i) for i in rest.split(".")], parameter)
    unknown = [name for name in given if name not in names]
    missing = [name for name in names if name not in given and name not in defaults]
    if unknown or missing:
        wrong = [f"{what} {', '.join(some)}" for what, some in
                 (("unknown", unknown), ("missing", missing)) if some]
        raise SignatureMismatch(f"parameters do not fit the kernel: {'; '.join(wrong)}; "
                                f"its parameters are: {', '.join(names)}")
    signature: dict[str, Any] = {}
    constexprs: dict[Path, Any] = {}
    attrs: dict[Path, Any] = {}
    for index, name in enumerate(names):
        if name not in given:
            signature[name] = "constexpr"
            constexprs[(index,)] = defaults[name]
        else:
            signature[name] = _place(given[name], (index,), constexprs, attrs)
    return signature, constexprs, attrs


def _insert(tree: Any, path: list[int], parameter: KernelParameter) -> None:
    if not isinstance(tree, dict):
        raise SignatureMismatch(f"parameter '{parameter.name}' is a tuple's element, but "
                                "the tuple's name stands for a value as well")
    if len(path) == 1:
        tree[path[0]] = parameter
    else:
        _insert(tree.setdefault(path[0], {}), path[1:], parameter)


def _place(node: Any, path: Path, constexprs: dict[Path, Any], attrs: dict[Path, Any]) -> Any:
    if isinstance(node, dict):
        if sorted(node) != list(range(len(node))):
            raise SignatureMismatch("a tuple parameter lacks elements")
        return tuple(_place(node[i], (*path, i), constexprs, attrs) for i in range(len(node)))
    if node.value is not None:
        constexprs[path] = to_python(node.value)
    elif node.divisible:
        attrs[path] = _DIVISIBLE
    return node.type


def leaves(name: str, kind: Any, path: Path) -> Iterator[tuple[str, str, Path]]:
    """(flat name, type, path) of a signature entry, tuples flattened depth first."""
    if isinstance(kind, tuple):
        for index, inner in enumerate(kind):
            yield from leaves(f"{name}.{index}", inner, (*path, index))
    else:
        yield name, kind, path


def parameters_of(signature: dict[str, Any], constants: dict[Path, Any],
                  attrs: dict[Path, Any]) -> list[KernelParameter]:
    """The request's parameters for what a launch would have compiled. Raises MessageError."""
    result: list[KernelParameter] = []
    for index, (name, kind) in enumerate(signature.items()):
        for flat, leaf, path in leaves(name, kind, (index,)):
            if leaf == "constexpr":
                try:
                    value = from_python(constants[path])
                except MessageError as error:
                    raise MessageError(f"parameter '{flat}': {error}") from error
                result.append(KernelParameter(flat, leaf, value=value))
            else:
                divisible = any(list(a) == _DIVISIBLE[0] for a in attrs.get(path, ()))
                result.append(KernelParameter(flat, leaf, divisible))
    return result
