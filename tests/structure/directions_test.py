"""Each module includes only what lies below it."""

from __future__ import annotations

import pathlib
import re
import unittest

import tree

# module: what it may include directly; what those may include comes along.
DIRECTIONS = {
    "base": [],
    "model": ["base"],
    "contract": ["model"],
    "operators": ["contract", "model"],
    "source": ["contract", "model"],
    "search": ["model"],
    "measure": ["model"],
    "profile": ["contract", "model"],
    "journal": ["model"],
    "process": ["base", "model"],
    "protocol": ["base", "model"],
    "tune": ["search", "measure", "profile", "journal", "source", "operators", "contract"],
    "backend": ["tune", "process", "protocol"],
    "cli": ["backend"],
    "croq_runner": ["protocol", "measure", "model", "base"],
    "croq_supervisor": [],
}

# Modules without a clock, a file or a process.
PURE = ("search", "measure", "profile")
IMPURE = re.compile(r"<(chrono|ctime|time\.h|fstream|filesystem|cstdio|stdio\.h|thread|mutex|future|"
                    r"unistd\.h|fcntl\.h|spawn\.h|dlfcn\.h|sys/.*)>|"
                    r'"croq/base/(clock|files|fd)\.h"')

# library: the modules that may include it, and those of them whose headers may.
ALL = tuple(DIRECTIONS)
THIRD_PARTY = {
    "tl/": (ALL, ALL),
    "fmt/": (ALL, ()),
    "nlohmann/json_fwd": (ALL, ALL),
    "nlohmann/": (ALL, ("protocol", "backend", "croq_runner")),  # these pass messages around
    "CLI/": (("cli",), ()),
    "toml++/": (("contract",), ()),
    "sqlite3.h": (("journal",), ()),
    "xxhash.h": (("base",), ()),
    "cuda.h": (("croq_runner",), ("croq_runner",)),
}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def reach(module: str) -> set[str]:
    """The module and all that it may include."""
    found = {module}
    for below in DIRECTIONS[module]:
        found |= reach(below)
    return found


def module_of(name: pathlib.Path) -> str | None:
    """src/croq/<module>/... or src/<program>/..."""
    parts = name.parts
    if parts[0] != "src":
        return None
    return parts[2] if parts[1] == "croq" else parts[1]


def included_module(header: str) -> str | None:
    parts = header.split("/")
    if parts[0] == "croq":
        return parts[1]
    return parts[0] if parts[0] in DIRECTIONS else None


class Directions(unittest.TestCase):
    def setUp(self) -> None:
        self.sources = [(name, text, module) for name, text in tree.sources(*tree.CPP_ENDINGS)
                        if (module := module_of(name)) is not None]

    def test_every_module_is_in_the_table(self) -> None:
        unknown = {module for _, _, module in self.sources} - set(DIRECTIONS)
        self.assertEqual(unknown, set(), "add it to DIRECTIONS and to ARCHITECTURE.md")

    def test_no_include_points_up(self) -> None:
        wrong = []
        for name, text, module in self.sources:
            for _, header in INCLUDE.findall(text):
                target = included_module(header)
                if target is not None and target not in reach(module):
                    wrong.append(f"{name} includes {header}: {module} may include "
                                 f"{', '.join(sorted(reach(module)))}")
        self.assertEqual(wrong, [])

    def test_pure_modules_have_no_clock_file_or_process(self) -> None:
        wrong = [f"{name}: {line}" for name, text, module in self.sources if module in PURE
                 for line in text.splitlines()
                 if line.startswith("#include") and IMPURE.search(line)]
        self.assertEqual(wrong, [])

    def test_third_party_libraries_stay_where_they_belong(self) -> None:
        wrong = []
        for name, text, module in self.sources:
            for _, header in INCLUDE.findall(text):
                library = next((key for key in THIRD_PARTY if header.startswith(key)), None)
                if library is None:
                    continue
                modules, in_headers = THIRD_PARTY[library]
                if module not in modules:
                    wrong.append(f"{name}: {header} belongs to {', '.join(modules)}")
                elif name.suffix == ".h" and module not in in_headers:
                    wrong.append(f"{name}: {header} in a header; include it in the .cc")
        self.assertEqual(wrong, [])

    def test_the_table_catches_an_arrow_that_points_up(self) -> None:
        self.assertNotIn("tune", reach("search"))
        self.assertNotIn("process", reach("tune"))
        self.assertEqual(reach("measure"), {"measure", "model", "base"})
        self.assertEqual(included_module("croq/tune/builder.h"), "tune")


if __name__ == "__main__":
    unittest.main()
