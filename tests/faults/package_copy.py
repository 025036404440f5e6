"""Copies an installed croq so that a test may break the copy: the product needs no hooks for it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PROGRAMS = ("croq", "croq-runner", "croq-supervisor")


@dataclass(frozen=True)
class Package:
    """A folder with the programs, contracts/ and python/ beside each other."""

    folder: Path

    @property
    def croq(self) -> Path:
        """The program."""
        return self.folder / "croq"

    def replace(self, name: str, old: str, new: str) -> None:
        """Changes one place of a file. The place must be there: a fault that is not injected
        would pass every test."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise SystemExit(f"{name} holds {text.count(old)} times, not once: {old!r}; "
                             "adapt this test to it")
        path.write_text(text.replace(old, new), encoding="utf-8")


def _parts(croq: Path) -> tuple[Path, Path]:
    """Folders of the companion programs and of contracts/ and python/."""
    beside = croq.parent
    prefix = beside.parent
    if (beside / "contracts").is_dir():
        return beside, beside
    if (prefix / "share/croq/contracts").is_dir():
        return prefix / "libexec/croq", prefix / "share/croq"
    return beside, SOURCE  # a build folder


def copy_package(croq: Path, target: Path) -> Package:
    """A copy of what belongs to this program, in one folder."""
    programs, shared = _parts(croq)
    target.mkdir(parents=True)
    for name in PROGRAMS:
        path = croq if name == "croq" else programs / name
        if path.exists():  # the runner may be missing where there is no GPU
            shutil.copy(path, target / name)
    for name in ("contracts", "python"):
        shutil.copytree(shared / name, target / name,
                        ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    return Package(target)
