"""The kernels of a source file, without running its host code.

Of the file's top level only these are kept: imports of triton and triton.language, constants that
are literals (also tl.constexpr(literal) and Triton dtypes), and functions decorated by triton.jit
(triton.autotune and triton.heuristics around it choose launch parameters only, and are taken off).
The kept nodes are compiled under the file's own name with their own line numbers, since Triton
reads a kernel's source by its lines and line tables name the file.
"""

from __future__ import annotations

import ast
import builtins
import io
import linecache
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .jit_guard import GuardError, check_body
from .syntax_tree import SourceError, parse_source, read_source

_JIT = {"triton.jit", "triton.runtime.jit", "triton.runtime.jit.jit"}
_LAUNCH_SIDE = {"triton.autotune", "triton.heuristics", "triton.runtime.autotune",
                "triton.runtime.heuristics"}
_CONSTEXPR = {"triton.language.constexpr", "triton.language.core.constexpr"}
#: Arguments of the decorator that change the code; repr and launch_metadata are host functions.
_JIT_KEYWORDS = {"version", "debug", "noinline", "do_not_specialize",
                 "do_not_specialize_on_alignment"}
#: What may be imported from `triton` itself.
_FROM_TRITON = {"language", "jit", "autotune", "heuristics", "Config", "cdiv", "next_power_of_2"}

#: The module name that kernels are compiled under. It is part of callees' mangled names, so it
#: must not depend on the file.
MODULE_NAME = "croq_candidate"


#: Begins the names of kernels that are of own_kernels.py, whatever the file of the request.
OWN_PREFIX = "croq:"
OWN_FILE = str(Path(__file__).with_name("own_kernels.py"))


class KernelSourceError(Exception):
    """A file or kernel that can't be compiled as asked; the text names the place."""


@dataclass
class KernelModule:
    """The namespace that holds the kept nodes; `dropped` says of functions why they are not in.

    `lines` has the file's line of each kept function's `def`.
    """

    path: str
    namespace: dict[str, Any]
    dropped: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def kernel(self, name: str) -> Any:
        """The JITFunction `name`. Raises KernelSourceError where there is none."""
        from triton.runtime.jit import JITFunction

        found = self.namespace.get(name)
        if isinstance(found, JITFunction):
            return found
        if name in self.dropped:
            raise KernelSourceError(f"{self.path}: function '{name}' {self.dropped[name]}")
        kernels = [key for key, value in self.namespace.items() if isinstance(value, JITFunction)]
        raise KernelSourceError(
            f"{self.path}: no @triton.jit function '{name}' at the top level of the file; "
            f"there are: {', '.join(kernels) or 'none'}")


def find_kernel(source: str, name: str) -> Any:
    """The JITFunction that a request means. Raises KernelSourceError."""
    if name.startswith(OWN_PREFIX):
        return load(OWN_FILE).kernel(name.removeprefix(OWN_PREFIX))
    return load(source).kernel(name)


class _Extractor:
    """Walks a module's top level; `kept` is what remains, in order."""

    def __init__(self) -> None:
        self.kept: list[ast.stmt] = []
        self.functions: list[ast.FunctionDef] = []
        self.dropped: dict[str, str] = {}
        self._aliases: dict[str, str] = {}  # local name -> dotted name in triton
        self._constants: set[str] = set()

    def visit(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            self._import(node)
        elif isinstance(node, ast.ImportFrom):
            self._import_from(node)
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if len(names) == len(node.targets):
                self._assign(node, names, None, node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            self._assign(node, [node.target.id], node.annotation, node.value)
        elif isinstance(node, ast.FunctionDef):
            self._function(node)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            root = alias.name.split(".")[0]
            if root != "triton":
                continue
            language = alias.name == "triton" or (alias.name + ".").startswith("triton.language.")
            if not language and alias.asname:
                continue
            # `import triton.tools.x` binds `triton`; that much of it is kept.
            name = alias.name if language else "triton"
            self._aliases[alias.asname or "triton"] = name if alias.asname else "triton"
            self._keep(ast.Import([ast.alias(name, alias.asname)]), node)

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level or not (module == "triton" or (module + ".").startswith("triton.language.")
                              or module == "__future__"):
            return
        names = [a for a in node.names if module != "triton" or a.name in _FROM_TRITON]
        if module != "__future__":
            self._aliases.update({a.asname or a.name: f"{module}.{a.name}" for a in names})
        if names:
            self._keep(ast.ImportFrom(module, names, 0), node)

    def _keep(self, made: ast.stmt, original: ast.stmt) -> None:
        self.kept.append(ast.fix_missing_locations(ast.copy_location(made, original)))

    def _assign(self, node: ast.stmt, names: list[str], annotation: ast.expr | None,
                value: ast.expr) -> None:
        if not self._is_literal(value):
            return
        self._constants.update(names)
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
        kept: ast.stmt
        if annotation is not None and self._dotted(annotation) in _CONSTEXPR:
            kept = ast.AnnAssign(ast.Name(names[0], ast.Store()), annotation, value, simple=1)
        else:
            kept = ast.Assign(targets, value)
        self._keep(kept, node)

    def _function(self, node: ast.FunctionDef) -> None:
        try:
            decorators = self._decorators(node)
            if not decorators:
                return
            arguments = node.args
            for default in [*arguments.defaults, *filter(None, arguments.kw_defaults)]:
                if not self._is_literal(default):
                    raise KernelSourceError(f"has a default value that is no literal "
                                            f"(line {default.lineno})")
        except KernelSourceError as error:
            self.dropped[node.name] = str(error)
            return
        for argument in filter(None, [*arguments.posonlyargs, *arguments.args, arguments.vararg,
                                      *arguments.kwonlyargs, arguments.kwarg]):
            argument.annotation = self._annotation(argument.annotation)
        node.decorator_list, node.returns = decorators, None
        self.dropped.pop(node.name, None)
        self.kept.append(node)
        self.functions.append(node)

    def _decorators(self, node: ast.FunctionDef) -> list[ast.expr]:
        """[triton.jit as written, without host callables]; empty where it is no kernel."""
        kept: list[ast.expr] = []
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            name = self._dotted(call.func if call else decorator)
            if name in _LAUNCH_SIDE and not kept:
                continue
            if name not in _JIT or kept:
                raise KernelSourceError(f"has the decorator '{ast.unparse(decorator)}' (line "
                                        f"{decorator.lineno}); only triton.jit is compiled")
            if call:
                call.args = []
                call.keywords = [k for k in call.keywords
                                 if k.arg in _JIT_KEYWORDS and self._is_literal(k.value)]
            kept.append(decorator)
        if node.decorator_list and not kept:
            raise KernelSourceError("has no triton.jit under its decorators")
        return kept

    def _annotation(self, node: ast.expr | None) -> ast.expr | None:
        """What Triton reads of an annotation: constexpr, a dtype, or a text. Others run code."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node
        dotted = self._dotted(node) if node is not None else ""
        return node if dotted.startswith("triton.language.") else None

    def _dotted(self, node: ast.expr) -> str:
        """The name in triton that an expression stands for, or ""."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._aliases:
            return ""
        return ".".join([self._aliases[node.id], *names[::-1]])

    def _is_literal(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            return node.id in self._constants
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self._is_literal(item) for item in node.elts)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.operand, ast.Constant)
        if isinstance(node, ast.Call):
            return (self._dotted(node.func) in _CONSTEXPR and len(node.args) == 1
                    and not node.keywords and self._is_literal(node.args[0]))
        return _is_dtype(self._dotted(node)) if isinstance(node, ast.Attribute) else False


def _is_dtype(dotted: str) -> bool:
    import triton.language as tl

    module, _, name = dotted.rpartition(".")
    return module == "triton.language" and isinstance(getattr(tl, name, None), tl.dtype)


def load(path: str) -> KernelModule:
    """The kernels of the file at `path`. Raises KernelSourceError."""
    try:
        source = read_source(path)
        tree = parse_source(source, path)
    except SourceError as error:
        raise KernelSourceError(f"{path}:{error.line}:{error.column}: {error}") from error
    extractor = _Extractor()
    for node in tree.body:
        extractor.visit(node)
    # Triton takes a kernel's text from linecache. Entries without a time are never looked up
    # again, so what is compiled is what was parsed, whatever happens to the file meanwhile.
    text = io.StringIO(source.decode("utf-8-sig").replace("\r\n", "\n"))
    linecache.cache[path] = (len(source), None, text.readlines(), path)
    namespace: dict[str, Any] = {"__name__": MODULE_NAME, "__file__": path,
                                 "__builtins__": builtins}
    module = ast.Module(extractor.kept, type_ignores=[])
    try:
        exec(compile(module, path, "exec", dont_inherit=True), namespace)  # noqa: S102
        for function in extractor.functions:
            check_body(function, namespace)
    except GuardError as error:
        raise KernelSourceError(f"{path}:{error.line}: {error}") from error
    except Exception as error:
        raise KernelSourceError(f"{path}: {type(error).__name__}: {error}") from error
    lines = {function.name: function.lineno for function in extractor.functions}
    return KernelModule(path, namespace, extractor.dropped, lines)


def forget(path: str) -> None:
    """Drops what `load` left in linecache; a later file of the same name is read anew."""
    linecache.cache.pop(path, None)
