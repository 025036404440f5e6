"""The checks of kill_resume.py see what they are there to see."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))

import leftovers
from session_store import Session, Snapshot, file_problems, lost_rows, unsound
from session_views import view_problems

KEY = "matmul_f16fp32_64x64x64"
SCHEMA = TESTS.parent / "src/croq/journal/schema.sql"
HEADER = "iter\tkernel\tpredicted_tflops\tdecision\tbottleneck\tidea_summary\n"
LINE = "iter000\titer000_base\t1.50\t\t\tthe \\\\ bar\n"


class Store(unittest.TestCase):
    """A store that is sound, in a scratch folder; each test breaks one thing."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="croq-checks-")
        self.addCleanup(scratch.cleanup)
        self.session = Session(Path(scratch.name), KEY)
        base = Path(scratch.name) / "tuning/sm90_offline/triton"
        self.logs, self.sources, commands = (base / kind / KEY / "croq"
                                             for kind in ("logs", "srcs", "cmd"))
        for folder in (self.logs, self.sources, commands):
            folder.mkdir(parents=True)
        self.sql(SCHEMA.read_text(encoding="utf-8"))
        for config in ("a", "b"):
            self.trial(config)
        self.sql("INSERT INTO iterations (number, state, tag, round, config, idea, tflops,"
                 " predicted, at) VALUES (0, 'final', 'base', 0, 'x', 'the \\ bar', 1.5, 1, 0)")
        (self.sources / "iter000_base.py").touch()
        for kind in ("build", "run", "profile"):
            (commands / f"{kind}_iter000.sh").touch()
        (self.logs / "predicted.tsv").write_text(HEADER + LINE, encoding="utf-8")

    def sql(self, text: str) -> None:
        """Changes the store."""
        database = sqlite3.connect(self.logs / "journal.db")
        database.executescript(text)
        database.close()

    def trial(self, config: str, outcome: str = "correct") -> None:
        """Adds one."""
        self.sql("INSERT INTO trials (round, config, outcome, reason, log, registers, local_bytes,"
                 " shared_bytes, cubin, device_state, predicted, at)"
                 f" VALUES (1, '{config}', '{outcome}', '', '', 0, 0, 0, '', '', 1, 0)")

    def snapshot(self) -> Snapshot:
        """The store as it is now."""
        taken = self.session.snapshot()
        assert taken is not None
        return taken

    def all_problems(self) -> list[str]:
        """Of a store that should be whole."""
        now = self.snapshot()
        return (unsound(now) + file_problems(self.session, now)
                + view_problems(self.session, now, exact=True))

    def test_sound(self) -> None:
        self.assertEqual(self.all_problems(), [])

    def test_lost_and_changed_rows(self) -> None:
        before = self.snapshot()
        self.assertEqual(lost_rows(before, self.snapshot()), [])
        self.sql("DELETE FROM trials WHERE id = 2; UPDATE iterations SET tflops = 2")
        self.assertEqual(lost_rows(before, self.snapshot()),
                         ["trials: row 2 is lost", "iterations: row 0 was changed in tflops"])

    def test_gap(self) -> None:
        self.sql("DELETE FROM trials WHERE id = 1")
        self.assertEqual(self.all_problems(), ["trials are numbered [2]"])

    def test_configuration_twice(self) -> None:
        self.trial("c", "constraints")
        self.trial("c", "constraints")
        self.assertEqual(self.all_problems(), [])
        self.trial("a")
        self.assertEqual(self.all_problems(), ["trial a is there 2 times"])

    def test_files(self) -> None:
        (self.sources / "iter000_other.py").touch()
        (self.sources / "iter001_next.py").touch()
        self.assertEqual(len(self.all_problems()), 3, self.all_problems())

    def test_damage(self) -> None:
        path = self.logs / "journal.db"
        content = bytearray(path.read_bytes())
        content[3 * 4096:4 * 4096] = b"\xff" * 4096  # where the trials are
        path.write_bytes(content)
        self.assertTrue(unsound(self.snapshot()))

    def test_views(self) -> None:
        wrong = {"missing": HEADER, "torn": HEADER + LINE[:9], "twice": HEADER + LINE + LINE,
                 "another figure": HEADER + LINE.replace("1.50", "2.50")}
        now = self.snapshot()
        for name, text in wrong.items():
            with self.subTest(name):
                (self.logs / "predicted.tsv").write_text(text, encoding="utf-8")
                self.assertEqual(len(view_problems(self.session, now, exact=True)), 1)
                self.assertEqual(len(view_problems(self.session, now, least=now)), 1)
                # Behind is what a kill leaves; more than the journal has is not.
                behind = name in ("missing", "torn")
                self.assertEqual(view_problems(self.session, now) == [], behind)


class Leftovers(unittest.TestCase):
    def test_marked_process_is_found_until_it_ends(self) -> None:
        mark = f"checks{os.getpid()}"
        with subprocess.Popen(["sleep", "1000"], start_new_session=True,
                              env={**os.environ, leftovers.MARK: mark}) as child:
            try:
                self.assertIn(child.pid, [one.pid for one in leftovers.descendants(os.getpid())])
                found = leftovers.wait_until_gone(lambda: leftovers.belonging(mark), 0)
                self.assertEqual([one.pid for one in found], [child.pid])
                self.assertEqual(leftovers.still_there(found), found)
            finally:
                child.kill()
            # A zombie from here on, until it is reaped.
            self.assertEqual(leftovers.wait_until_gone(lambda: leftovers.still_there(found), 30), [])
            self.assertEqual(leftovers.belonging(mark), [])


if __name__ == "__main__":
    unittest.main()
