"""Files and functions stay short enough to be read in one go."""

from __future__ import annotations

import ast
import re
import unittest
from collections.abc import Iterator

import tree

LONGEST_FILE = 300
LONGEST_FUNCTION = 60

# Made by a tool, not read by people.
GENERATED = {"src/croq_runner/kernels.ptx"}

LITERALS = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])+'|"
                      r"//[^\n]*|/\*(?:.|\n)*?\*/")
NOT_A_FUNCTION = re.compile(r"^\s*(namespace|class|struct|enum|union|extern|typedef|using)\b")


def without_literals(text: str) -> str:
    """Strings and comments blanked, lines kept. Digit separators would read as characters."""
    text = re.sub(r"(?<=\d)'(?=\d)", "_", text)
    return LITERALS.sub(lambda match: "\n" * match.group().count("\n"), text)


def cpp_functions(text: str) -> Iterator[tuple[int, int]]:
    """First line and number of lines of each function body that is not inside another."""
    depth_of_scopes = [0]  # brace depths at which declarations stand: file, namespaces, classes
    depth = 0
    start = None
    head = ""
    for number, line in enumerate(without_literals(text).split("\n"), 1):
        for character in line:
            if character == "{":
                if start is None and depth == depth_of_scopes[-1]:
                    if NOT_A_FUNCTION.search(head.strip()) or "(" not in head:
                        depth_of_scopes.append(depth + 1)
                    else:
                        start = number
                depth += 1
                head = ""
            elif character == "}":
                depth -= 1
                if start is not None and depth == depth_of_scopes[-1]:
                    yield start, number - start + 1
                    start = None
                elif start is None and len(depth_of_scopes) > 1 and depth < depth_of_scopes[-1]:
                    depth_of_scopes.pop()
                head = ""
            elif character == ";":
                head = ""
            else:
                head += character
        head += "\n"
        if line.startswith("#"):
            head = ""


def python_functions(text: str) -> Iterator[tuple[int, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno is not None
            yield node.lineno, node.end_lineno - node.lineno + 1


class Sizes(unittest.TestCase):
    def test_files(self) -> None:
        long = [f"{name}: {count} lines"
                for name, text in tree.sources(*tree.CPP_ENDINGS, ".py", ".sh", ".py.in")
                if name.as_posix() not in GENERATED
                and (count := len(text.splitlines())) > LONGEST_FILE]
        self.assertEqual(long, [], "split it by duty")

    def test_cpp_functions(self) -> None:
        long = [f"{name}:{line}: {count} lines"
                for name, text in tree.sources(*tree.CPP_ENDINGS)
                for line, count in cpp_functions(text) if count > LONGEST_FUNCTION]
        self.assertEqual(long, [])

    def test_python_functions(self) -> None:
        long = [f"{name}:{line}: {count} lines"
                for name, text in tree.sources(".py")
                for line, count in python_functions(text) if count > LONGEST_FUNCTION]
        self.assertEqual(long, [])

    def test_functions_are_found(self) -> None:
        text = ('namespace a {\nstruct B {\n  int C() const {\n    return 1;\n  }\n};\n'
                'void D(const char* x = "{") {\n  if (x) {  // }\n  }\n}\nint e[] = {1};\n'
                "int F() { return 1'000; }\n}\n")
        self.assertEqual(list(cpp_functions(text)), [(3, 3), (7, 4), (12, 1)])


if __name__ == "__main__":
    unittest.main()
