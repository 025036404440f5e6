"""Nothing in the tree ties it to the machine it was written on."""

from __future__ import annotations

import re
import unittest

import tree

# In parts, so that this file does not hold what it looks for.
FOREIGN = re.compile("|".join([
    r"(?<![\w.])/wor" + r"k/(main|shared|\.)",
    r"pypi\." + r"org", r"files\.python" + r"hosted", r"download\.pytor" + r"ch\.org",
    r"(deb|security)\.deb" + r"ian\.org", r"registry\.npm" + r"js", r"proxy\.gol" + r"ang\.org",
    r"index\.crat" + r"es\.io", r"(archive|ports)\.ubun" + r"tu\.com",
]))


class Content(unittest.TestCase):
    def test_no_path_of_this_machine_and_no_registry_host(self) -> None:
        found = []
        for name in tree.files():
            try:
                text = (tree.ROOT / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a cubin
            found += [f"{name}:{number}: {match.group()}"
                      for number, line in enumerate(text.splitlines(), 1)
                      for match in FOREIGN.finditer(line)]
        self.assertEqual(found, [])

    def test_engine_and_worker_are_one_version(self) -> None:
        build = (tree.ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        engine = re.search(r"project\(croq VERSION ([\d.]+)", build)
        self.assertIsNotNone(engine)
        folder = tree.ROOT / "python" / "croq_worker"
        versions = {match for path in folder.glob("*.py")
                    for match in re.findall(r'"(\d+\.\d+\.\d+)"', path.read_text(encoding="utf-8"))
                    if path.name in ("__init__.py", "versions.py")}
        self.assertIn(engine.group(1), versions)


if __name__ == "__main__":
    unittest.main()
