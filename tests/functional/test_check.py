"""`croq check`."""

from __future__ import annotations

import json
import os
import unittest
from pathlib import Path

from croq_binary import PYTHON, SOURCE, CroqTest, Ran, croq

CORPUS = SOURCE / "tests" / "golden" / "purity"
HONEST = CORPUS / "honest" / "matmul_plain.py"
EVASION = CORPUS / "evasions" / "compute_fallback_helper.py"
BASELINE = CORPUS / "honest" / "baseline_matmul.py"


@unittest.skipUnless(PYTHON.exists(), "needs a Python")
class Check(CroqTest):
    def check(self, *arguments: str | Path) -> Ran:
        return croq("check", *map(str, arguments))

    def test_accepted(self) -> None:
        ran = self.check(HONEST)
        self.assertEqual((ran.code, ran.out), (0, f"{HONEST}: accepted\n"), ran)

    def test_rejected_with_place_chain_and_mend(self) -> None:
        ran = self.check(EVASION)
        self.assertEqual(ran.code, 1, ran)
        line = next(number for number, text in enumerate(EVASION.read_text().splitlines(), 1)
                    if ".mul(1.0)" in text)
        self.assertIn(f"{EVASION}:{line}:12: reject E103: 'x.mul' in the hot path", ran.out)
        self.assertIn("    in kernel_fn → prepare → scale\n    mend: ", ran.out)
        self.assertTrue(ran.out.endswith(f"{EVASION}: rejected (1 reject)\n"), ran)

    def test_baseline(self) -> None:
        self.assertEqual(self.check(BASELINE).code, 1)
        self.assertEqual(self.check("--iter", "0", BASELINE).code, 0)

    def test_entry(self) -> None:
        path = self.scratch / "k.py"
        path.write_text(HONEST.read_text() + "\n\ndef other(a, b):\n    return a.mm(b)\n\n\n"
                        "class Model:\n    def forward(self, a):\n        return a.mm(a)\n")
        self.assertEqual(self.check(path).code, 0)
        for name in ("other", "Model.forward", "Model"):
            ran = self.check(path, "--entry", name)
            self.assertEqual(ran.code, 1, ran)
            self.assertIn("E103", ran.out)
        ran = self.check("--entry", "kernel_fn", "--entry", "gone", path)
        self.assert_usage_error(ran, "--entry gone: there is no such function; there are ")
        for name in ("kernel_fn", "other", "Model.forward"):
            self.assertIn(name, ran.err)

    def test_only_regular_files_are_opened(self) -> None:
        pipe = self.scratch / "pipe.py"
        os.mkfifo(pipe)
        for command in (["check"], ["outline"], ["pin", "--index", "0"]):
            self.assert_usage_error(croq(*command, str(pipe)), "pipe.py is not a regular file")

    def test_an_iteration_below_0_is_refused_in_one_line(self) -> None:
        ran = self.check("--iter", "-1", HONEST)
        self.assert_usage_error(ran, "-1")
        self.assertLess(len(ran.err), 200)

    def test_json(self) -> None:
        ran = self.check("--json", HONEST, EVASION)
        self.assertEqual(ran.code, 1, ran)
        report = json.loads(ran.out)
        self.assertFalse(report["accepted"])
        honest, evasion = report["files"]
        self.assertEqual((honest["path"], honest["accepted"]), (str(HONEST), True))
        finding = evasion["findings"][0]
        self.assertEqual((finding["code"], finding["level"]), ("E103", "reject"))
        self.assertEqual([step["name"] for step in finding["chain"]],
                         ["kernel_fn", "prepare", "scale"])
        self.assertEqual(set(finding), {"code", "level", "title", "line", "column", "chain",
                                        "message", "mend"})

    def test_sarif(self) -> None:
        odd = self.scratch / "odd näme.py"
        odd.write_text("def kernel_fn(a, b):\n    note = 'ä'; return a @ b\n")
        ran = self.check("--sarif", EVASION, odd)
        self.assertEqual(ran.code, 1, ran)
        log = json.loads(ran.out)
        self.assertEqual(log["version"], "2.1.0")
        run = log["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        for rule in rules:
            self.assertTrue(rule["id"] and rule["help"]["text"]
                            and rule["shortDescription"]["text"])
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertIn(result["level"], ("error", "warning", "note"))
            self.assertTrue(result["message"]["text"])
            place = result["locations"][0]["physicalLocation"]
            self.assertGreaterEqual(place["region"]["startLine"], 1)
            self.assertGreaterEqual(place["region"]["startColumn"], 1)
        chain = run["results"][0]["relatedLocations"]
        self.assertEqual([step["message"]["text"] for step in chain],
                         ["kernel_fn", "prepare", "scale"])
        product = next(r for r in run["results"] if r["ruleId"] == "E101")
        place = product["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith("odd%20n%C3%A4me.py"))
        self.assertEqual(place["region"]["startColumn"], 24)  # in characters

    def test_refused_files_are_rejected_with_the_reason(self) -> None:
        cases = {
            "syntax.py": (b"def f(:\n", "syntax"),
            "cookie.py": (b"# -*- coding: latin-1 -*-\n", "iso-8859-1"),
            "names.py": ("\uff54 = 1\n".encode(), "ASCII"),
            "large.py": (b"#" * (256 << 10) + b"\n", "larger"),
            "deep.py": (b"x = a" + b".b" * 1000 + b"\n", "nested"),
        }
        for name, (content, reason) in cases.items():
            with self.subTest(name):
                path = self.scratch / name
                path.write_bytes(content)
                ran = self.check(path)
                self.assertEqual(ran.code, 1, ran)
                self.assertIn("reject E001", ran.out)
                self.assertIn(reason, ran.out)

    def test_unreadable(self) -> None:
        ran = self.check(HONEST, self.scratch / "gone.py")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("gone.py", ran.err)
        self.assertIn("matmul_plain.py: accepted", ran.out)
        self.assertEqual(self.check(self.scratch).code, 2)

    def test_usage(self) -> None:
        self.assert_usage_error(self.check(), "files")
        self.assert_usage_error(self.check("--json", "--sarif", HONEST), "--sarif")
        for value in ("-1", "99999999999999999999", "1.5", ""):
            ran = self.check("--iter", value, HONEST)
            self.assert_usage_error(ran, "--iter", "a whole number from 0")
            self.assertLess(len(ran.err), 200, ran)
        self.assert_usage_error(self.check("--dsl", "cuda", HONEST), "unknown DSL")


if __name__ == "__main__":
    unittest.main()
