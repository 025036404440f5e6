"""Syntax trees in compact form, and the files that are not taken."""

from __future__ import annotations

import ast
import base64
import json
import struct
import sys
import unittest
from typing import Any

from worker_client import KERNELS, ROOT

from croq_worker import compact_tree, syntax_tree

ACCESS = [ast.Load, ast.Store, ast.Del]


def expected(node: ast.AST, field: str = "", depth: int = 0) -> list[tuple[Any, ...]]:
    """What the compact form says of a tree, by a way of its own: kind, field, depth, place."""
    place = tuple(getattr(node, name, 0) or 0
                  for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))
    found = [(type(node).__name__, field, depth, *place,
              ACCESS.index(type(getattr(node, "ctx", ast.Load()))))]
    for name, value in ast.iter_fields(node):
        items = value if isinstance(value, list) else [value]
        for index, item in enumerate(items):
            if isinstance(item, (ast.stmt, ast.expr, ast.excepthandler, ast.arguments, ast.arg,
                                 ast.keyword, ast.alias, ast.withitem, ast.match_case, ast.pattern,
                                 ast.comprehension)):
                unpacked = (isinstance(node, ast.Dict) and name == "values"
                            and node.keys[index] is None)
                found += expected(item, "unpacked" if unpacked else name, depth + 1)
    return found


def records(tree: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Each node: kind, field, depth, four numbers of its place, access, constant, text, extra."""
    kinds, fields, strings = tree["kinds"], tree["fields"], tree["strings"]
    found = []
    for head, *place, text, extra in struct.iter_unpack("<7i", base64.b64decode(tree["nodes"])):
        kind = kinds[head & 255]
        found.append((kind, fields[head >> 8 & 255], head >> 16 & 255, *place, head >> 24 & 3,
                      head >> 26, strings[text] if text >= 0 else None,
                      extra if kind == "ImportFrom" else strings[extra] if extra >= 0 else None))
    return found


def parse(source: bytes) -> dict[str, Any]:
    return syntax_tree.parse_reply({"source": "x.py", "bytes": base64.b64encode(source).decode()})


class SyntaxTreeTest(unittest.TestCase):
    def nodes(self, source: bytes) -> list[tuple[Any, ...]]:
        reply = json.loads(json.dumps(parse(source)))
        self.assertTrue(reply["ok"], reply)
        return records(reply["tree"])

    def texts(self, source: bytes, kind: str) -> list[tuple[Any, Any]]:
        return [node[-2:] for node in self.nodes(source) if node[0] == kind]

    def test_says_what_ast_says(self) -> None:
        files = [*KERNELS.glob("*.py"), *(ROOT / "python" / "croq_worker").glob("*.py"),
                 *(ROOT / "tests" / "worker").glob("*.py")]
        self.assertGreater(len(files), 20)
        for path in files:
            with self.subTest(path=path.name):
                found = [record[:8] for record in self.nodes(path.read_bytes())]
                self.assertEqual(found, expected(ast.parse(path.read_bytes())))

    def test_texts(self) -> None:
        source = (b"from ..a.b import c as d, e\nimport x.y\nglobal_ = 1\n"
                  b"def f(a, /, b: int = 2, *c, d, **e):\n  global g, h\n  return a @ b < c is not d\n"
                  b"x = {1: 2, **f}\nf(*a, k=1, **m)\nx += -1\nx and y\n"
                  b"try: pass\nexcept E as err: pass\n"
                  b"match x:\n  case {'k': 1, **rest}: pass\n  case P(1, q=None): pass\n"
                  b"  case [*star]: pass\n  case whole: pass\n")
        self.assertEqual(self.texts(source, "ImportFrom"), [("a.b", 2)])
        self.assertEqual(self.texts(source, "alias"), [("c", "d"), ("e", None), ("x.y", None)])
        self.assertEqual(self.texts(source, "arg"), [(n, None) for n in "abcde"])
        self.assertEqual(self.texts(source, "Global"), [("g h", None)])
        self.assertEqual(self.texts(source, "Compare"), [("Lt IsNot", None)])
        self.assertEqual(self.texts(source, "BinOp"), [("MatMult", None)])
        self.assertEqual(self.texts(source, "AugAssign"), [("Add", None)])
        self.assertEqual(self.texts(source, "BoolOp"), [("And", None)])
        self.assertEqual(self.texts(source, "keyword"), [("k", None), (None, None)])
        self.assertEqual(self.texts(source, "ExceptHandler"), [(None, "err")])
        self.assertEqual(self.texts(source, "MatchMapping"), [(None, "rest")])
        self.assertEqual(self.texts(source, "MatchClass"), [(None, "q")])
        self.assertEqual(self.texts(source, "MatchSingleton"), [("None", None)])
        self.assertEqual(self.texts(source, "MatchStar"), [(None, "star")])
        self.assertEqual(self.texts(source, "MatchAs")[-1], (None, "whole"))

    def test_constants(self) -> None:
        found = [(node[8], node[9]) for node in self.nodes(
            b"None\nTrue\n12\n1.5\n'a\\0'\n...\nb'x'\n1e999\n9223372036854775808\n"
            b"-9223372036854775808\n") if node[0] == "Constant"]
        self.assertEqual(found[:6], [(0, "None"), (1, "True"), (2, "12"), (3, "1.5"), (4, "a\0"),
                                     (5, "Ellipsis")])
        self.assertEqual(found[6:9], [(6, "b'x'"), (6, "inf"), (6, "0x8000000000000000")])

    def test_places_are_in_bytes(self) -> None:
        for source in ("'é' + x\n", "\ufeff'é' + x\n"):  # columns do not count a byte order mark
            self.assertEqual(self.nodes(source.encode())[1][3:7], (1, 0, 1, 8))
        self.assertEqual(self.nodes(b"x = 1\r\n\ty = 2\r\n".replace(b"\t", b""))[4][3], 2)

    def test_syntax_errors_have_a_place(self) -> None:
        reply = parse("x = 1\ny = 'é' )\n".encode())
        self.assertFalse(reply["ok"])
        self.assertEqual((reply["line"], reply["column"]), (2, 9))
        self.assertIn("unmatched ')'", reply["message"])

    def test_fails_closed(self) -> None:
        cases: dict[bytes, str] = {
            b"x = '\xff'\n": "not UTF-8",
            b"# coding: latin-1\nx = 1\n": "encoding",
            b"# coding: nonsense\nx = 1\n": "encoding",
            b"\xef\xbb\xbf# coding: latin-1\nx = 1\n": "encoding",
            b"x = 1\ry = 2\n": "carriage return",
            b"x = 1\n\x0cy = 2\n": "form feed",
            b"x = '\\ud800'\n": "surrogate",
            b"x = 1\0\n": "NUL",
            b"x = " + b"(" * 250 + b"1" + b")" * 250: "syntax error",
            b"x = " + b"-" * 300 + b"1\n": "levels deep",
            b"x = " + b"1 + " * 3000 + b"1\n": "",
            b"x = " + b"-" * 100_000 + b"1\n": "too deep",
            b"#" * (syntax_tree.MAX_SOURCE_BYTES + 1): "larger than",
        }
        for source, words in cases.items():
            with self.subTest(source=source[:20]):
                reply = parse(source)
                self.assertFalse(reply["ok"], reply)
                self.assertIn(words, reply["message"])
                self.assertGreaterEqual(reply["line"], 1)
        self.assertEqual(parse(b"a = 1\nb = '\xff'\n")["line"], 2)
        self.assertEqual(parse(b"a = 1\nb = '\xff'\n")["column"], 5)

    def test_names_are_ascii(self) -> None:
        refused = ["x = 1; é = 2", "x.ａ", "ｍｍ = 1", "def 𝐟(): pass", "import ﬁle", "f(ｋ=1)",
                   "f'{ｍｍ(x)}'", "try: pass\nexcept E as ñ: pass", "global ｇ"]
        for source in refused:
            with self.subTest(source=source):
                reply = parse((source + "\n").encode())
                self.assertFalse(reply["ok"])
                self.assertIn("ASCII", reply["message"])
        self.assertEqual(parse("x = 1\nx = a.ｂ\n".encode())["line"], 2)
        self.assertEqual(parse("x = '→'; é = 1\n".encode())["column"], 11)
        for source in ("# é ｍｍ\n", "x = 'ｍｍ é'\n", "f'{x} → é'\n", "'''ｍ\nｍ'''\n"):
            with self.subTest(source=source):
                self.assertTrue(parse(source.encode())["ok"])

    def test_a_class_of_a_newer_python_is_refused(self) -> None:
        class Newer(ast.expr):
            _fields = ()
        tree = ast.parse("x\n")
        tree.body[0].value = Newer()  # type: ignore[attr-defined]
        with self.assertRaisesRegex(compact_tree.SourceError, "not known"):
            compact_tree.compact(tree)

    @unittest.skipIf(sys.version_info < (3, 12), "type parameters came with Python 3.12")
    def test_type_parameters(self) -> None:
        self.assertEqual(self.texts(b"def f[T]() -> T: pass\n", "TypeVar"), [(None, "T")])


if __name__ == "__main__":
    unittest.main()
