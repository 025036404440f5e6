"""The files of the project, as git sees them (untracked ones that it does not ignore included)."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP_ENDINGS = (".h", ".cc", ".cuh", ".cu")
LEFT_OUT = {"build", ".venv", ".git", "tuning", ".package", "__pycache__"}


def files() -> list[pathlib.Path]:
    """Every file of the tree, relative to its root."""
    try:
        listed = subprocess.run(
            ["git", "-C", str(ROOT), "ls-files", "-coz", "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout
        names = [pathlib.Path(name) for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):  # an unpacked source tree
        names = [path.relative_to(ROOT) for path in ROOT.rglob("*")]
    return sorted(name for name in names
                  if (ROOT / name).is_file() and not LEFT_OUT.intersection(name.parts))


def sources(*endings: str) -> Iterator[tuple[pathlib.Path, str]]:
    """Name and text of each file with one of these endings."""
    for name in files():
        if name.name.endswith(endings):
            yield name, (ROOT / name).read_text(encoding="utf-8-sig")
