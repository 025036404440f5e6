#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/dtype.h"

namespace croq {

/// matmul: C[M,N] = A[M,K] B[K,N]. matmul_nt: the same with B stored as [N,K], as nn.Linear does.
/// blockscale_gemm: matmul_nt of FP8 operands whose blocks have scales (model/scaling.h).
/// All operands are row-major and contiguous. brought: what a person's own file states
/// (model/problem.h).
enum class Operator { kMatmul, kMatmulNt, kBlockscaleGemm, kBrought };

std::string_view NameOf(Operator op);

/// One dimension of a brought problem.
struct Dimension {
  std::string name;  ///< as the file's table names it; empty where only the key's text is known
  std::int64_t value = 0;

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// One problem, `<operator>_<dtype>_<M>x<N>x<K>`. `text` is what the person typed and is used to the
/// letter in every path. A brought problem has its own operator word and its own dimensions, in the
/// order of its table: `softmax_f16fp32_16384x8192`.
struct ShapeKey {
  std::string text;
  Operator op = Operator::kMatmul;
  DType dtype = DType::kF16Fp32;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  // Where op is kBrought; m, n and k are 0 then.
  std::string word;                   ///< the operator's: `softmax`
  std::vector<Dimension> dimensions;
  double stated_flops = 0;            ///< of one call; 0: not stated
  double stated_bytes = 0;            ///< that must cross device memory; 0: not stated

  /// B is stored as [N,K]: K is the contiguous dimension of both operands.
  bool BIsNk() const { return op == Operator::kMatmulNt || op == Operator::kBlockscaleGemm; }
  /// What of torch's a kernel is compared with: `torch.matmul`, of FP8 `torch._scaled_mm`, of
  /// blockscale_gemm `torch.matmul of dequantised operands`.
  std::string_view LibraryCall() const;
  /// `matmul`, or the word of a brought problem.
  std::string_view OperatorWord() const { return op == Operator::kBrought ? word : NameOf(op); }
  /// Of one call; 0 where a brought problem does not state it.
  double Flops() const;
  /// Bytes that must cross device memory: A and B read once, C written once; of a brought problem
  /// what its file states, 0 where it does not.
  double CompulsoryBytes() const;
};

/// Usage error that names the part that is wrong and shows a right key. Each dimension is
/// 1..2^31-1 without leading zeros. FP8 is matmul_nt_e4m3fp32 and blockscale_gemm_e4m3fp16fp32, with N
/// and K in multiples of 16: the matrix units take both operands along K, the libraries rows of 16.
Result<ShapeKey> ParseShapeKey(std::string_view text);

/// The same for keys that may be a brought problem's, of which the text says neither the
/// dimensions' names nor what is stated: what lies in paths and journals.
Result<ShapeKey> ParseAnyShapeKey(std::string_view text);

/// 1-64 of a-z, 0-9, _, starting with a letter, and neither ending in `_` nor holding `__`.
bool IsOperatorWord(std::string_view word);

/// The key of a brought problem. Usage error where the word is none or is a built-in operator's, or
/// a dimension is out of range.
Result<ShapeKey> MakeBroughtKey(std::string_view word, DType dtype,
                                std::vector<Dimension> dimensions);

}  // namespace croq
