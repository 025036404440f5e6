#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "croq/base/result.h"
#include "croq/model/dtype.h"

namespace croq {

/// matmul: C[M,N] = A[M,K] B[K,N]. matmul_nt: the same with B stored as [N,K], as nn.Linear does.
/// All operands are row-major and contiguous.
enum class Operator { kMatmul, kMatmulNt };

std::string_view NameOf(Operator op);

/// One problem, `<operator>_<dtype>_<M>x<N>x<K>`. `text` is what the person typed and is used to the
/// letter in every path.
struct ShapeKey {
  std::string text;
  Operator op = Operator::kMatmul;
  DType dtype = DType::kF16Fp32;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;

  double Flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
  /// Bytes that must cross device memory: A and B read once, C written once.
  double CompulsoryBytes() const;
};

/// Usage error that names the part that is wrong and shows a right key. Each dimension is
/// 1..2^31-1 without leading zeros.
Result<ShapeKey> ParseShapeKey(std::string_view text);

}  // namespace croq
