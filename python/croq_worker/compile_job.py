"""One compile request: a kernel of a source file to a cubin and what a launch of it needs."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shutil
import sys
import tempfile
import time
from dataclasses import fields as dataclass_fields
from pathlib import Path
from typing import Any, Iterator

import triton
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.compiler import CUDABackend
from triton.compiler import ASTSource
from triton.runtime.errors import OutOfResources

from . import kernel_source, signature, stub_driver
from .messages import CompileRequest, Device
from .versions import release

#: Options of the compiler that a request may set; others change what is compiled, not how.
_OPTIONS = {"num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion",
            "enable_reflect_ftz", "launch_cooperative_grid", "launch_pdl", "sanitize_overflow",
            "debug"}
#: Lines of ptxas's log worth keeping in ours: registers, spills and numbered remarks.
_LOG_LINE = re.compile(r"Used \d+ registers|stack frame|\(C\d{4}\)")
_MAX_LOG_LINES = 20
#: ptxas: "(C7511) Potential Performance Loss: ..."; C7510 to C7519 are its several reasons.
_WGMMA_SERIALIZED = "wgmma.mma_async instructions are serialized"


class OptionError(Exception):
    """An option that this Triton does not know, or a value it refuses."""


def parse_options(options: dict[str, int], target: GPUTarget) -> dict[str, Any]:
    """Options with Python's types. Triton itself drops unknown ones without a word."""
    backend = triton.compiler.make_backend(target)
    known = {f.name: f for f in dataclass_fields(type(backend.parse_options({})))}
    result: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known or name not in _OPTIONS:
            raise OptionError(f"unknown compile option '{name}'; known are "
                              f"{', '.join(sorted(_OPTIONS & set(known)))}")
        result[name] = bool(value) if isinstance(known[name].default, bool) else value
    try:
        backend.parse_options(dict(result))
    except (AssertionError, TypeError, ValueError) as error:
        raise OptionError(f"options {options}: {error}") from error
    return result


def set_line_info(wanted: bool) -> None:
    """Line tables in the cubin or not; the instructions are the same either way.

    With them a cubin names the source's path and time, so equal kernels of two files differ.
    """
    if wanted:
        os.environ.pop("TRITON_DISABLE_LINE_INFO", None)
    else:
        os.environ["TRITON_DISABLE_LINE_INFO"] = "1"


class Workspace:
    """A private folder for Triton's cache and ptxas's files, emptied after every job.

    Caching is the engine's: an entry left here would only grow the disk.
    """

    _VARIABLES = ("TRITON_CACHE_DIR", "TMPDIR")

    def __init__(self) -> None:
        self._given = {name: os.environ.get(name) for name in self._VARIABLES}
        parent = self._given["TRITON_CACHE_DIR"]
        if parent:
            os.makedirs(parent, exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix=f"worker{os.getpid()}.", dir=parent or None))
        os.environ["TRITON_CACHE_DIR"] = str(self.path / "cache")
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.path / "tmp")
        self.clear()

    def clear(self) -> None:
        for name in ("cache", "tmp"):
            shutil.rmtree(self.path / name, ignore_errors=True)
            (self.path / name).mkdir(exist_ok=True)

    def remove(self) -> None:
        """Deletes the folder and gives the environment its variables back."""
        shutil.rmtree(self.path, ignore_errors=True)
        for name, value in self._given.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def captured_stdout() -> Iterator[io.StringIO]:
    """Takes what Triton prints: ptxas's log, and on errors the whole PTX, which no log needs."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        yield text


@contextlib.contextmanager
def shared_limit(limit: int) -> Iterator[None]:
    """Stops a compile that is past the device's shared memory before ptxas sees it.

    Such a kernel can't be launched, and its registers often keep ptxas busy for many seconds.
    """
    make_ptx = CUDABackend.make_ptx

    def checked(self: Any, source: Any, metadata: dict[str, Any], *rest: Any) -> Any:
        if limit and metadata.get("shared", 0) > limit:
            raise OutOfResources(metadata["shared"], limit, "shared memory")
        return make_ptx(self, source, metadata, *rest)

    CUDABackend.make_ptx = checked
    try:
        yield
    finally:
        CUDABackend.make_ptx = make_ptx


def compile_kernel(request: CompileRequest) -> dict[str, Any]:
    """The fields of a "compiled" reply that went well.

    Raises KernelSourceError, SignatureMismatch, OptionError, or whatever Triton raises.
    """
    started = time.perf_counter()
    target = GPUTarget("cuda", request.target, stub_driver.WARP_SIZE)
    stub_driver.activate(Device(compute_capability=request.target))
    options = parse_options(request.options, target)
    set_line_info(request.line_info)
    # 3.5 and newer print ptxas's log when asked; older ones leave wgmma_serialized false.
    os.environ["TRITON_DUMP_PTXAS_LOG"] = "1"
    fn = kernel_source.find_kernel(request.source, request.kernel)
    defaults = {p.name: p.default for p in fn.params if p.is_constexpr and p.has_default}
    types, constexprs, attrs = signature.build(fn.arg_names, defaults, request.parameters)
    for parameter in fn.params:
        if parameter.is_constexpr and types[parameter.name] != "constexpr":
            raise signature.SignatureMismatch(
                f"parameter '{parameter.name}' is a tl.constexpr, but the request has a "
                f"'{types[parameter.name]}'")
    with captured_stdout() as log, shared_limit(request.shared_limit):
        compiled = triton.compile(ASTSource(fn, types, constexprs, attrs), target=target,
                                  options=options)
    text = log.getvalue()
    _pass_on(text)
    reply = describe(compiled.metadata)
    reply["warp_specialized"] = "ttg.warp_specialize" in compiled.asm.get("ttgir", "")
    reply["wgmma_serialized"] = _WGMMA_SERIALIZED in text
    reply["cubin"] = store(compiled.asm["cubin"], fn.__name__, request.out)
    reply["compile_ms"] = round((time.perf_counter() - started) * 1000, 3)
    return reply


def describe(metadata: Any) -> dict[str, Any]:
    """Triton's metadata of a kernel as the launch needs it (the ABI differs by release)."""
    fields = metadata._asdict()
    version = release(fields.get("triton_version") or triton.__version__)
    num_ctas = fields["num_ctas"]
    cluster = tuple(fields.get("cluster_dims") or (num_ctas, 1, 1))
    if num_ctas > 1 and cluster != (num_ctas, 1, 1):
        # 3.4 and 3.5 may split a cluster along y; plans know clusters along x only.
        raise OptionError(f"num_ctas={num_ctas} gives clusters of {cluster} in Triton "
                          f"{triton.__version__}; use num_ctas=1 or Triton 3.6 or newer")
    return {
        "entry": fields["name"], "num_warps": fields["num_warps"], "num_ctas": num_ctas,
        "shared": fields["shared"], "global_scratch_size": fields.get("global_scratch_size") or 0,
        "global_scratch_align": fields.get("global_scratch_align") or 1,
        "profile_scratch_size": fields.get("profile_scratch_size") or 0,
        "scratch_parameters": 1 if version < (3, 5) else 2,
        "cooperative": bool(fields.get("launch_cooperative_grid")),
        "pdl": bool(fields.get("launch_pdl")),
        "tensordesc_meta": [_descriptor(meta) for meta in fields.get("tensordesc_meta") or []]}


def _descriptor(meta: dict[str, Any]) -> dict[str, Any]:
    if meta.get("fp4_padded") or meta.get("is_im2col"):
        raise OptionError("fp4 and im2col tensor descriptors are not supported")
    return {name: meta[name] for name in ("swizzle", "elem_size", "elem_type", "block_size")}


def store(cubin: bytes, kernel: str, out: str) -> str:
    """Puts a cubin into folder `out` under its own fingerprint, whole or not at all."""
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{kernel[:100]}-{hashlib.sha256(cubin).hexdigest()[:32]}.cubin"
    temporary = folder / f".{target.name}.{os.getpid()}"
    temporary.write_bytes(cubin)
    os.replace(temporary, target)
    return str(target)


def _pass_on(text: str) -> None:
    """ptxas's own lines to the log (stderr)."""
    lines = [line.strip() for line in text.splitlines() if _LOG_LINE.search(line)]
    if lines:
        print("\n".join(lines[:_MAX_LOG_LINES]), file=sys.stderr, flush=True)
