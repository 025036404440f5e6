"""Each pinned file of the corpus launches what the autotuned file launches once its autotuner has
settled on that configuration: the same kernels, PTX for sm_90, grids and arguments."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ["TRITON_DISABLE_LINE_INFO"] = "1"
os.environ["TRITON_ALWAYS_COMPILE"] = "1"
_CACHE = tempfile.TemporaryDirectory(prefix="pin proof ")
os.environ["TRITON_CACHE_DIR"] = _CACHE.name

import pinned_launches  # noqa: E402

CORPUS = ROOT / "tests" / "golden" / "pin"


def pairs() -> list[tuple[Path, Path]]:
    """Corpus files that can be launched, each with its pinned file."""
    found = []
    for pinned in sorted(CORPUS.glob("*.pinned.py")):
        original = pinned.with_name(pinned.name.replace(".pinned.py", ".py"))
        if "def make_inputs" in original.read_text(encoding="utf-8-sig"):
            found.append((original, pinned))
    return found


class PinProof(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        pinned_launches.set_up()

    @classmethod
    def tearDownClass(cls) -> None:
        _CACHE.cleanup()

    def test_corpus_is_there(self) -> None:
        self.assertGreaterEqual(len(pairs()), 30)

    def test_pinned_files_launch_what_the_autotuned_files_launch(self) -> None:
        for original, pinned in pairs():
            with self.subTest(original.stem):
                request = pinned_launches.Request.of(original.read_text(encoding="utf-8-sig"))
                tuned = pinned_launches.launches(original, request)
                self.assertTrue(any("launch" in event for event in tuned), "nothing is launched")
                self.assertEqual(tuned, pinned_launches.launches(pinned))

    def test_a_wrong_pin_is_seen(self) -> None:
        original = CORPUS / "literal_configs.py"
        text = (CORPUS / "literal_configs.pinned.py").read_text(encoding="utf-8")
        request = pinned_launches.Request.of(original.read_text(encoding="utf-8-sig"))
        tuned = pinned_launches.launches(original, request)
        for right, wrong in (("num_warps=8", "num_warps=4"), ("BLOCK=256", "BLOCK=128")):
            with self.subTest(wrong), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "wrong.py"
                path.write_text(text.replace(right, wrong), encoding="utf-8")
                self.assertNotEqual(tuned, pinned_launches.launches(path))


if __name__ == "__main__":
    unittest.main()
