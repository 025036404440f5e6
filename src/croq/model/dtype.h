#pragma once

#include <optional>
#include <string_view>

namespace croq {

/// Storage and accumulation of one problem. Precision is part of the name, so it is never traded
/// unseen: tf32fp32 is f32 storage multiplied in tf32, f32 is IEEE float32 throughout.
enum class DType { kF16Fp32, kBf16Fp32, kF32, kTf32Fp32 };

inline constexpr DType kAllDTypes[] = {DType::kF16Fp32, DType::kBf16Fp32, DType::kF32,
                                       DType::kTf32Fp32};

struct DTypeFacts {
  std::string_view name;             ///< as it stands in a shape key
  int bytes;                         ///< of one stored element
  std::string_view triton;           ///< Triton's name of the storage type: fp16, bf16, fp32
  std::string_view torch;            ///< torch's name of the storage type: float16, ...
  std::string_view input_precision;  ///< tl.dot's input_precision for it; empty: not applicable
  double unit_roundoff;              ///< of the stored result: 2^-11 f16, 2^-8 bf16, 2^-24 f32
};

const DTypeFacts& FactsOf(DType dtype);
std::optional<DType> ParseDType(std::string_view name);

}  // namespace croq
