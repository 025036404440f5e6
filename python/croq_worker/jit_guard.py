"""Keeps the bodies of jit functions from reaching ordinary Python while they are compiled.

Triton's front end walks a kernel's body and *calls* what it finds: for a callable that is neither
jitted nor a Triton builtin it runs `fn(*args)` in the compiler's own process, and it lets a body
name any module. So a body may only reach into triton.language, and never hold a module as a value.
"""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any, Mapping

#: What a body may take from the package `triton` itself.
_OF_TRITON = {"language", "cdiv", "next_power_of_2"}
#: Names that reach attributes by text, or code; Triton hands the first two to the body.
_BANNED_NAMES = {"getattr", "hasattr", "setattr", "delattr", "eval", "exec", "compile", "open",
                 "__import__", "globals", "locals", "vars", "type", "breakpoint", "input"}


class GuardError(Exception):
    """A jit body that reaches outside of Triton's language; `line` is the file's."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def _is_language(module: ModuleType) -> bool:
    name = module.__name__
    return name == "triton.language" or name.startswith("triton.language.")


def _chain(node: ast.Attribute) -> tuple[ast.Name | None, list[str]]:
    """The root name of a.b.c (None where it is no name) and the attributes in order."""
    names: list[str] = []
    value: ast.expr = node
    while isinstance(value, ast.Attribute):
        names.append(value.attr)
        value = value.value
    return (value if isinstance(value, ast.Name) else None), names[::-1]


class _Guard(ast.NodeVisitor):
    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace

    def visit_Attribute(self, node: ast.Attribute) -> None:  # noqa: N802 (ast's own name)
        root, names = _chain(node)
        for name in names:
            if name.startswith("__"):
                raise GuardError(f"attribute '{name}' is not for kernels", node.lineno)
        value = self._namespace.get(root.id) if root else None
        if isinstance(value, ModuleType):
            self._follow(value, names, node)
        else:
            self.generic_visit(node)

    def _follow(self, value: Any, names: list[str], node: ast.Attribute) -> None:
        text = ast.unparse(node)
        for name in names:
            if isinstance(value, ModuleType):
                allowed = name in _OF_TRITON if value.__name__ == "triton" else _is_language(value)
                if not allowed:
                    raise GuardError(f"'{text}' leaves triton.language", node.lineno)
            value = getattr(value, name, None)
        if isinstance(value, ModuleType):
            raise GuardError(f"'{text}' is a module used as a value", node.lineno)

    def visit_Name(self, node: ast.Name) -> None:  # noqa: N802 (ast's own name)
        if node.id in _BANNED_NAMES:
            raise GuardError(f"'{node.id}' is not for kernels", node.lineno)
        if isinstance(self._namespace.get(node.id), ModuleType):
            raise GuardError(f"'{node.id}' is a module used as a value", node.lineno)


def check_body(function: ast.FunctionDef, namespace: Mapping[str, Any]) -> None:
    """Raises GuardError where the body of a jit function reaches outside of Triton's language."""
    guard = _Guard(namespace)
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef, ast.Lambda)):
                raise GuardError(f"a {type(node).__name__} is not for kernels", node.lineno)
        guard.visit(statement)
