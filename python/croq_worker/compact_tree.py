"""A syntax tree in few bytes: one record of integers a node, in preorder, and a table of strings.

The form, which src/croq/source/load_tree.cc reads:

    {"kinds": [class of ast, ...], "fields": [field of ast, ...], "strings": [...], "nodes": base64}

`nodes` holds seven 32-bit little-endian integers a node: a head (bits 0-7 the index of its class,
8-15 of the field it stands in, 16-23 its depth, 24-25 0 load, 1 store or 2 delete, 26-28 the type
of a constant), line, column, end line, end column (0 for what has no place), and two numbers, text
and extra. Those index `strings`, -1 being none, but for an ImportFrom, whose extra is the number of
its dots. Contexts and operators are no nodes: a context is in the head, an operator in the text.
"""

from __future__ import annotations

import ast
import sys
from array import array
from base64 import b64encode
from typing import Any, Callable

#: Nested nodes; a kernel file has a few dozen.
MAX_DEPTH = 200

#: Every class of 3.10 to 3.14 that is sent; a Python lacks those newer than itself.
KINDS = """
Module FunctionDef AsyncFunctionDef ClassDef Return Delete Assign TypeAlias AugAssign AnnAssign For
AsyncFor While If With AsyncWith Match Raise Try TryStar Assert Import ImportFrom Global Nonlocal
Expr Pass Break Continue BoolOp NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp
DictComp GeneratorExp Await Yield YieldFrom Compare Call FormattedValue Interpolation JoinedStr
TemplateStr Constant Attribute Subscript Starred Name List Tuple Slice comprehension ExceptHandler
arguments arg keyword alias withitem match_case MatchValue MatchSingleton MatchSequence MatchMapping
MatchClass MatchStar MatchAs MatchOr TypeVar ParamSpec TypeVarTuple
""".split()

#: A class's children are the fields of it that stand here. "unpacked" is no field of ast: it is
#: the value of a `**x` in a Dict, which has no key.
FIELDS = """
body orelse finalbody handlers decorator_list args posonlyargs vararg kwonlyargs kw_defaults kwarg
defaults returns bases keywords targets target value values annotation iter test items context_expr
optional_vars subject cases pattern patterns guard exc cause type msg names left right operand
comparators func format_spec slice lower upper step elts keys elt key generators ifs type_params
kwd_patterns cls bound default_value unpacked
""".split()
FIELDS.insert(0, "")

_CONSTANT_TYPES = {type(None): 0, bool: 1, int: 2, float: 3, str: 4, type(...): 5}
_OTHER = 6
_INT64 = range(-(1 << 63), 1 << 63)
_ACCESS = {ast.Load: 0, ast.Store: 1 << 24, ast.Del: 2 << 24}


class SourceError(Exception):
    """A file that is not taken; line counts from 1, column (in bytes) from 0."""

    def __init__(self, message: str, line: int = 1, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def _operator(node: Any) -> str:
    return type(node.op).__name__


#: Where a node's text comes from; the rest have none.
_TEXT: dict[str, Callable[[Any], str | None]] = {
    "FunctionDef": lambda node: node.name, "AsyncFunctionDef": lambda node: node.name,
    "ClassDef": lambda node: node.name, "Attribute": lambda node: node.attr,
    "arg": lambda node: node.arg, "keyword": lambda node: node.arg,
    "alias": lambda node: node.name, "ImportFrom": lambda node: node.module,
    "Name": lambda node: node.id,
    "Global": lambda node: " ".join(node.names), "Nonlocal": lambda node: " ".join(node.names),
    "BinOp": _operator, "UnaryOp": _operator, "BoolOp": _operator, "AugAssign": _operator,
    "Compare": lambda node: " ".join([type(op).__name__ for op in node.ops]),
    "MatchSingleton": lambda node: str(node.value),
}
_EXTRA: dict[str, Callable[[Any], str | None]] = {
    "alias": lambda node: node.asname, "ExceptHandler": lambda node: node.name,
    "MatchAs": lambda node: node.name, "MatchStar": lambda node: node.name,
    "MatchMapping": lambda node: node.rest,
    "MatchClass": lambda node: " ".join(node.kwd_attrs),
    "TypeVar": lambda node: node.name, "ParamSpec": lambda node: node.name,
    "TypeVarTuple": lambda node: node.name,
}
#: Fields of theirs that hold nodes elsewhere.
_NO_CHILDREN = {"Global", "Nonlocal", "Constant", "Name"}

#: class: index, has a place, text, extra, ((field, its number in the head), ...)
_FORMS = {
    getattr(ast, name): (
        index, "lineno" in getattr(ast, name)._attributes, _TEXT.get(name), _EXTRA.get(name),
        () if name in _NO_CHILDREN else tuple(
            (field, FIELDS.index(field) << 8) for field in getattr(ast, name)._fields
            if field in FIELDS and not (name == "MatchSingleton" and field == "value")))
    for index, name in enumerate(KINDS) if hasattr(ast, name)}
_UNPACKED = FIELDS.index("unpacked") << 8


class _Writer:
    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.strings: list[str] = []
        self.names: dict[str, int] = {}
        self.literals: dict[str, int] = {}

    def _index(self, table: dict[str, int], text: str) -> int:
        index = table[text] = len(self.strings)
        self.strings.append(text)
        return index

    def write(self, node: Any, head: int) -> None:
        """The node and what is below it; `head` has its field and depth."""
        try:
            index, placed, text_of, extra_of, children = _FORMS[node.__class__]
        except KeyError:
            raise _at(node, f"{type(node).__name__} is not known here") from None
        head |= index
        text = extra = -1
        names = self.names
        if text_of is not None:
            name = text_of(node)
            if name is not None and (text := names.get(name, -1)) < 0:
                text = self._index(names, name)
        elif node.__class__ is ast.Constant:
            kind, content = _constant(node)
            head |= kind << 26
            if (text := self.literals.get(content, -1)) < 0:
                text = self._index(self.literals, content)
        if extra_of is not None:
            name = extra_of(node)
            if name is not None and (extra := names.get(name, -1)) < 0:
                extra = self._index(names, name)
        elif node.__class__ is ast.ImportFrom:
            extra = node.level
        if placed:
            if "ctx" in node.__dict__:
                head |= _ACCESS[node.ctx.__class__]
            self.numbers += (head, node.lineno, node.col_offset, node.end_lineno,
                             node.end_col_offset, text, extra)
        else:
            self.numbers += (head, 0, 0, 0, 0, text, extra)
        if not children:
            return
        below = (head & 0xFF0000) + 0x10000
        if below > MAX_DEPTH << 16:
            raise _at(node, f"the code is nested more than {MAX_DEPTH} levels deep")
        for field, number in children:
            child = getattr(node, field, None)
            if child.__class__ is list:
                if field == "values" and index == _DICT:
                    for key, value in zip(node.keys, child):
                        self.write(value, below | (_UNPACKED if key is None else number))
                    continue
                for item in child:
                    if item is not None:  # the key of a `**x`, the default of a keyword-only
                        self.write(item, below | number)
            elif child is not None:
                self.write(child, below | number)


_DICT = KINDS.index("Dict")


def _at(node: Any, message: str) -> SourceError:
    return SourceError(message, getattr(node, "lineno", 1), getattr(node, "col_offset", 0))


def _constant(node: ast.Constant) -> tuple[int, str]:
    """The type's number and the text. Raises SourceError for what has no text."""
    value = node.value
    kind = _CONSTANT_TYPES.get(type(value), _OTHER)
    if kind == 4:
        if not value.isascii():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError as error:
                raise _at(node, "a string holds half of a surrogate pair") from error
        return kind, value
    try:
        if kind == 2 and value not in _INT64:
            return _OTHER, hex(value)
        if kind == 3 and (value != value or abs(value) == float("inf")):
            return _OTHER, repr(value)
        return kind, repr(value)
    except ValueError as error:
        raise _at(node, f"a constant without a text: {error}") from error


def compact(tree: ast.Module) -> dict[str, Any]:
    """The form above. Raises SourceError over MAX_DEPTH, on odd constants, on non-ASCII names."""
    writer = _Writer()
    try:
        writer.write(tree, 0)
    except (RecursionError, MemoryError) as error:
        raise SourceError(f"not parsed: {error or type(error).__name__}") from error
    for name in writer.names:
        if not name.isascii():
            raise _at(_bearer(tree, name), f"the name '{name}' is not ASCII")
    numbers = array("i", writer.numbers)
    if sys.byteorder == "big":
        numbers.byteswap()
    return {"kinds": KINDS, "fields": FIELDS, "strings": writer.strings,
            "nodes": b64encode(numbers).decode("ascii")}


def _bearer(tree: ast.Module, name: str) -> Any:
    for node in ast.walk(tree):
        kind = type(node).__name__
        for text_of in (_TEXT.get(kind), _EXTRA.get(kind)):
            if text_of is not None and text_of(node) == name:
                return node
    return tree
