"""Shape keys, and the 16 of them that are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import UsageError

# C = A B; `nt`: B is stored as [N, K]. Square ones from small to large, thin and wide K, decode
# shapes, two of language models, a ragged one, FP8.
KEYS = (
    "matmul_nt_f16fp32_1024x1024x1024",
    "matmul_nt_f16fp32_2048x2048x2048",
    "matmul_f16fp32_4096x4096x4096",
    "matmul_nt_f16fp32_4096x4096x4096",
    "matmul_nt_f16fp32_8192x8192x8192",
    "matmul_nt_f16fp32_16384x16384x16384",
    "matmul_nt_f16fp32_16384x16384x512",
    "matmul_nt_f16fp32_512x16384x16384",
    "matmul_nt_f16fp32_16416x16416x16416",
    "matmul_nt_f16fp32_16x8192x8192",
    "matmul_nt_f16fp32_64x8192x8192",
    "matmul_nt_f16fp32_256x8192x8192",
    "matmul_nt_f16fp32_2048x8192x28672",
    "matmul_bf16fp32_4096x4096x14336",
    "matmul_f16fp32_1000x2000x3000",
    "matmul_nt_e4m3fp32_8192x8192x8192",
)

# Of the largest absolute error, for a C of standard deviation 0.25 (croq's own, docs/measuring.md).
TOLERANCE = {"f16fp32": 1e-3, "bf16fp32": 1e-2, "f32": 1e-4, "tf32fp32": 3e-3, "e4m3fp32": 1e-2}

ELEMENT_BYTES = {"f16fp32": 2, "bf16fp32": 2, "f32": 4, "tf32fp32": 4, "e4m3fp32": 1}

_KEY = re.compile(r"(matmul|matmul_nt)_([a-z0-9]+)_([1-9]\d*)x([1-9]\d*)x([1-9]\d*)")


@dataclass(frozen=True)
class Case:
    """One problem: C[M, N] = A[M, K] B."""

    key: str
    operator: str
    dtype: str
    m: int
    n: int
    k: int

    @property
    def transposed(self) -> bool:
        """B is stored as [N, K]."""
        return self.operator == "matmul_nt"

    @property
    def scaled(self) -> bool:
        """The operands are FP8 with a scale for each tensor; C is bfloat16."""
        return self.dtype == "e4m3fp32"

    @property
    def tolerance(self) -> float:
        return TOLERANCE[self.dtype]

    @property
    def set_bytes(self) -> int:
        """Bytes of A, B and C."""
        element = ELEMENT_BYTES[self.dtype]
        output = 2 if self.scaled else element
        return element * (self.m * self.k + self.n * self.k) + output * self.m * self.n

    def tflops(self, ms: float) -> float:
        """The rate of one product in `ms` milliseconds; 0 where there is no time."""
        return 2 * self.m * self.n * self.k / ms / 1e9 if ms > 0 else 0.0


def parse(key: str) -> Case:
    """The case of a shape key `<operator>_<dtype>_<M>x<N>x<K>`."""
    found = _KEY.fullmatch(key)
    if found is None:
        raise UsageError(f"'{key}' is no shape key; a right one is {KEYS[2]} (M x N x K)")
    operator, dtype = found[1], found[2]
    if dtype not in TOLERANCE:
        raise UsageError(f"shape key '{key}': unknown dtype '{dtype}' (there are "
                         f"{', '.join(TOLERANCE)})")
    if dtype == "e4m3fp32" and operator != "matmul_nt":
        raise UsageError(f"shape key '{key}': FP8 wants B stored as [N, K], so matmul_nt")
    return Case(key, operator, dtype, int(found[3]), int(found[4]), int(found[5]))
