"""Versions of the packages at hand and the cuBLAS that this torch would load.

Nothing is imported: torch alone takes seconds, and asking the package metadata takes none.
"""

from __future__ import annotations

import ctypes.util
import importlib.metadata
import importlib.util
import platform
import re
from pathlib import Path
from typing import Any


def installed_version(package: str) -> str | None:
    """The version of an installed package, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def release(version: str | None) -> tuple[int, int]:
    """(major, minor) of a version text; (0, 0) where there is none."""
    found = re.match(r"(\d+)\.(\d+)", version or "")
    return (int(found[1]), int(found[2])) if found else (0, 0)


def torch_folder() -> Path | None:
    """Where torch is installed. find_spec of a top-level package does not import it."""
    spec = importlib.util.find_spec("torch")
    return Path(spec.origin).parent if spec and spec.origin else None


def torch_cuda_version(folder: Path | None) -> str | None:
    """torch.version.cuda, read out of torch/version.py; None in a CPU build."""
    try:
        text = (folder / "version.py").read_text() if folder else ""
    except OSError:
        return None
    found = re.search(r"^cuda(?:\s*:[^=]*)?\s*=\s*['\"]([^'\"]+)['\"]", text, re.MULTILINE)
    return found[1] if found else None


def find_library(stem: str, cuda: str | None, torch: Path | None) -> str | None:
    """The path of lib<stem>.so.<major of cuda>, in the order in which torch looks for it.

    The packages nvidia/cublas (CUDA 12) and nvidia/cu<major> beside torch, torch/lib, then the
    system's own. Without a CUDA build of torch any major version will do: the newest found.
    """
    major = cuda.split(".")[0] if cuda else None
    folders: list[Path] = []
    if torch is not None:
        site = torch.parent
        folders = [site / "nvidia" / "cublas" / "lib",
                   *sorted(site.glob("nvidia/cu[0-9]*/lib"), reverse=True), torch / "lib"]
    folders += [Path("/usr/local/cuda/lib64"), Path("/usr/lib/x86_64-linux-gnu"),
                Path("/usr/lib/aarch64-linux-gnu")]
    pattern = re.compile(rf"lib{stem}\.so\.{major or '[0-9]+'}$")
    for folder in folders:
        found = sorted(path for path in folder.glob(f"lib{stem}.so.*") if pattern.match(path.name))
        if found:
            return str(found[-1])
    name = ctypes.util.find_library(stem)  # ldconfig's answer: a bare name, which dlopen finds
    return name if name and pattern.match(name) else None


def report() -> dict[str, Any]:
    """What `croq doctor` shows of this interpreter. Absent things are null."""
    torch = torch_folder()
    cuda = torch_cuda_version(torch)
    return {
        "type": "versions", "python": platform.python_version(),
        "triton": installed_version("triton"), "torch": installed_version("torch"),
        "numpy": installed_version("numpy"), "cuda": cuda,
        "cublas": find_library("cublas", cuda, torch),
        "cublas_lt": find_library("cublasLt", cuda, torch)}
