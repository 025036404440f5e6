"""Syntax trees as JSON, and the files that are not taken."""

from __future__ import annotations

import ast
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from worker_client import KERNELS, ROOT

from croq_worker import syntax_tree


def rebuild(node: Any) -> Any:
    """The ast that JSON of tree_to_json stands for."""
    if isinstance(node, list):
        return [rebuild(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "text" in node and not hasattr(ast, node["_"]):
        return ast.literal_eval(node["text"]) if node["_"] != "ellipsis" else ...
    made = getattr(ast, node["_"])()
    for name, value in node.items():
        if name != "_":
            setattr(made, name, rebuild(value))
    return made


class SyntaxTreeTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "x.py"

    def parse(self, source: bytes) -> dict[str, Any]:
        self.path.write_bytes(source)
        return syntax_tree.parse_reply(str(self.path))

    def test_trees_come_back(self) -> None:
        files = [*KERNELS.glob("*.py"), *(ROOT / "python" / "croq_worker").glob("*.py")]
        self.assertGreater(len(files), 10)
        for path in files:
            with self.subTest(path=path.name):
                reply = json.loads(json.dumps(syntax_tree.parse_reply(str(path))))
                self.assertTrue(reply["ok"])
                expected = ast.parse(path.read_bytes())
                self.assertEqual(ast.dump(rebuild(reply["tree"]), include_attributes=True),
                                 ast.dump(expected, include_attributes=True))

    def test_shape_of_a_node(self) -> None:
        reply = self.parse("é = -1\n".encode())
        statement = reply["tree"]["body"][0]
        self.assertEqual(statement["_"], "Assign")
        self.assertEqual((statement["lineno"], statement["col_offset"]), (1, 0))
        self.assertEqual((statement["end_lineno"], statement["end_col_offset"]), (1, 7))  # bytes
        self.assertEqual(statement["targets"][0]["ctx"], {"_": "Store"})

    def test_constants_without_a_json_word(self) -> None:
        values = [s["value"]["value"] for s in
                  self.parse(b"b'x'\n2j\n...\n1e999\n2**63\n9223372036854775808\n")["tree"]["body"]
                  if "value" in s["value"]]
        self.assertEqual(values[0], {"_": "bytes", "text": "b'x'"})
        self.assertEqual(values[2], {"_": "ellipsis", "text": "Ellipsis"})
        self.assertEqual(values[3], {"_": "float", "text": "inf"})
        self.assertEqual(values[4], {"_": "int", "text": "0x8000000000000000"})

    def test_syntax_errors_have_a_place(self) -> None:
        reply = self.parse(b"x = 1\nif x\n    pass\n")
        self.assertFalse(reply["ok"])
        self.assertEqual(reply["line"], 2)
        self.assertIn("expected ':'", reply["message"])

    def test_fails_closed(self) -> None:
        cases = {
            b"\xef\xbb\xbfx = 1\n": "byte order mark",
            b"x = '\xff'\n": "not UTF-8",
            b"# coding: latin-1\nx = 1\n": "encoding",
            b"# coding: nonsense\nx = 1\n": "encoding",
            b"x = 1\ry = 2\n": "carriage return",
            b"x = '\\ud800'\n": "surrogate",
            b"x = 1\0\n": "",
            b"x = " + b"(" * 150 + b"1" + b")" * 150: "",
            b"x = " + b"-" * 300 + b"1\n": "levels deep",
            b"x = " + b"1 + " * 3000 + b"1\n": "",
            b"#" * (syntax_tree.MAX_SOURCE_BYTES + 1): "larger than",
        }
        for source, words in cases.items():
            with self.subTest(source=source[:20]):
                reply = self.parse(source)
                if words or not reply["ok"]:
                    self.assertFalse(reply["ok"], reply)
                    self.assertIn(words, reply["message"])
                    self.assertGreaterEqual(reply["line"], 1)
        self.assertEqual(self.parse(b"a = 1\nb = '\xff'\n")["line"], 2)
        self.assertEqual(self.parse(b"a = 1\nb = '\xff'\n")["column"], 5)
        self.assertFalse(syntax_tree.parse_reply("/nowhere.py")["ok"])

    def test_takes_windows_line_ends(self) -> None:
        reply = self.parse(b"x = 1\r\ny = 2\r\n")
        self.assertEqual(reply["tree"]["body"][1]["lineno"], 2)


if __name__ == "__main__":
    unittest.main()
