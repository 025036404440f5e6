"""libcublasLt by itself: one matmul and the answers of its heuristic, through ctypes.

torch does not hand on the heuristic's answers. The library is the one that torch has loaded. From
cublasLt.h (11.4 to 13): handles and descriptors are opaque pointers, a status is an int with 0 for
success; the constants below are values of its enums, of cublas_api.h's and of library_types.h's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .cases import Case
from .errors import MachineError

_OP_N, _OP_T = 0, 1
_DESC_TRANSA, _DESC_TRANSB = 3, 4
_DESC_A_SCALE_POINTER, _DESC_B_SCALE_POINTER, _DESC_FAST_ACCUM = 17, 18, 25
_PREF_MAX_WORKSPACE_BYTES = 1
_R_32F, _R_16F, _R_16BF, _R_8F_E4M3 = 0, 2, 14, 28
_COMPUTE_32F, _COMPUTE_32F_FAST_TF32 = 68, 77

_TYPES = {"f16fp32": _R_16F, "bf16fp32": _R_16BF, "f32": _R_32F, "tf32fp32": _R_32F,
          "e4m3fp32": _R_8F_E4M3}

_Size, _Handle = ctypes.c_size_t, ctypes.c_void_p


class HeuristicResult(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t; the algorithm is cublasLtMatmulAlgo_t."""

    _fields_ = [("algorithm", ctypes.c_uint64 * 8), ("workspace_bytes", _Size),
                ("state", ctypes.c_int), ("waves", ctypes.c_float),
                ("reserved", ctypes.c_int * 4)]


@dataclass(frozen=True)
class ColumnMajor:
    """A row-major product as column-major cuBLAS sees it: C'[N,M] = op(B')[N,K] A'[K,M], where X'
    is X read column by column. So cuBLAS's first operand is B, its second A. Layouts are rows,
    columns and leading dimension in memory, before the operation."""

    first_operation: int
    first: tuple[int, int, int]
    second: tuple[int, int, int]
    result: tuple[int, int, int]


def column_major(case: Case) -> ColumnMajor:
    """B [K,N] read by columns is B' [N,K]; B stored as [N,K] reads as [K,N] and is transposed."""
    first = (case.k, case.n, case.k) if case.transposed else (case.n, case.k, case.n)
    return ColumnMajor(_OP_T if case.transposed else _OP_N, first, (case.k, case.m, case.k),
                       (case.n, case.m, case.n))


def loaded_library(maps: Iterable[str] | None = None) -> str:
    """The path of libcublasLt in this process, from the lines of /proc/self/maps."""
    if maps is None:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    for line in maps:
        path = line.split(maxsplit=5)[-1].strip()
        if "/libcublasLt.so" in path:
            return path
    raise MachineError("torch has loaded no libcublasLt: this is no CUDA build of torch")


def library_version(path: str) -> int:
    """cuBLAS's own number, as 130100."""
    library = ctypes.CDLL(path)
    library.cublasLtGetVersion.restype = _Size
    return int(library.cublasLtGetVersion())


class CublasLt:
    """One matmul. Pointers are device addresses as ints; nothing here synchronises."""

    def __init__(self, path: str, case: Case, workspace: int, workspace_bytes: int) -> None:
        """The workspace (256-byte aligned) must outlive this. The context must be current."""
        self._library = ctypes.CDLL(path)
        self._library.cublasLtGetStatusName.restype = ctypes.c_char_p
        self._workspace, self._workspace_bytes = workspace, workspace_bytes
        self._handle, self._desc = _Handle(), _Handle()
        self._answers: list[HeuristicResult] = []
        self._check("cublasLtCreate", ctypes.byref(self._handle))
        tf32 = case.dtype == "tf32fp32"
        self._check("cublasLtMatmulDescCreate", ctypes.byref(self._desc),
                    _COMPUTE_32F_FAST_TF32 if tf32 else _COMPUTE_32F, _R_32F)
        view, element = column_major(case), _TYPES[case.dtype]
        self._set(_DESC_TRANSA, ctypes.c_int(view.first_operation))
        self._set(_DESC_TRANSB, ctypes.c_int(_OP_N))
        if case.scaled:
            self._set(_DESC_FAST_ACCUM, ctypes.c_int8(1))
        self._first = self._layout(element, view.first)
        self._second = self._layout(element, view.second)
        self._result = self._layout(_R_16BF if case.scaled else element, view.result)

    @property
    def answers(self) -> int:
        """How many the heuristic gave; best first, as it ranks them."""
        return len(self._answers)

    def _check(self, name: str, *arguments: object) -> None:
        status = getattr(self._library, name)(*arguments)
        if status != 0:
            said = self._library.cublasLtGetStatusName(status) or b""
            raise MachineError(f"{name}: {said.decode(errors='replace')}")

    def _set(self, attribute: int, value: ctypes._SimpleCData) -> None:  # type: ignore[type-arg]
        self._check("cublasLtMatmulDescSetAttribute", self._desc, attribute, ctypes.byref(value),
                    _Size(ctypes.sizeof(value)))

    def _layout(self, element: int, shape: tuple[int, int, int]) -> ctypes.c_void_p:
        layout = _Handle()
        rows, columns, leading = shape
        self._check("cublasLtMatrixLayoutCreate", ctypes.byref(layout), element,
                    ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(leading))
        return layout

    def scale_by(self, scale_a: int, scale_b: int) -> None:
        """Device addresses of FP8's scales; A is cuBLAS's second operand."""
        self._set(_DESC_A_SCALE_POINTER, _Handle(scale_b))
        self._set(_DESC_B_SCALE_POINTER, _Handle(scale_a))

    def ask(self, count: int) -> int:
        """Asks for at most `count` answers that need no more than the workspace."""
        preference, found = _Handle(), ctypes.c_int(0)
        self._check("cublasLtMatmulPreferenceCreate", ctypes.byref(preference))
        limit = ctypes.c_uint64(self._workspace_bytes)
        results = (HeuristicResult * count)()
        try:
            self._check("cublasLtMatmulPreferenceSetAttribute", preference,
                        _PREF_MAX_WORKSPACE_BYTES, ctypes.byref(limit),
                        _Size(ctypes.sizeof(limit)))
            self._check("cublasLtMatmulAlgoGetHeuristic", self._handle, self._desc, self._first,
                        self._second, self._result, self._result, preference, count, results,
                        ctypes.byref(found))
        finally:
            self._library.cublasLtMatmulPreferenceDestroy(preference)
        self._answers = [one for one in results[:found.value] if one.state == 0]
        return len(self._answers)

    def matmul(self, index: int, a: int, b: int, c: int, stream: int) -> None:
        """C = A B by answer `index`."""
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        self._check("cublasLtMatmul", self._handle, self._desc, ctypes.byref(one), _Handle(b),
                    self._first, _Handle(a), self._second, ctypes.byref(zero), _Handle(c),
                    self._result, _Handle(c), self._result,
                    ctypes.byref(self._answers[index]), _Handle(self._workspace),
                    _Size(self._workspace_bytes), _Handle(stream))
