#pragma once

#include <optional>
#include <string_view>

namespace croq {

/// Storage and accumulation of one problem. Precision is part of the name, so it is never traded
/// unseen: tf32fp32 is f32 storage multiplied in tf32, f32 is IEEE float32 throughout. The FP8 ones
/// have operands of float8_e4m3fn with float32 scales (model/scaling.h) and a wider result: bfloat16
/// in e4m3fp32, float16 in e4m3fp16fp32.
enum class DType { kF16Fp32, kBf16Fp32, kF32, kTf32Fp32, kE4m3Fp32, kE4m3Fp16Fp32 };

inline constexpr DType kAllDTypes[] = {DType::kF16Fp32,  DType::kBf16Fp32, DType::kF32,
                                       DType::kTf32Fp32, DType::kE4m3Fp32, DType::kE4m3Fp16Fp32};

/// One storage type by the names that it has elsewhere.
struct ElementFacts {
  int bytes;
  std::string_view triton;  ///< fp16, bf16, fp32, fp8e4nv
  std::string_view torch;   ///< float16, ...
};

struct DTypeFacts {
  std::string_view name;             ///< as it stands in a shape key
  ElementFacts operand;              ///< of A and B
  ElementFacts result;               ///< of C
  std::string_view input_precision;  ///< tl.dot's input_precision for it; empty: not applicable
  double unit_roundoff;              ///< of the stored result: 2^-11 f16, 2^-8 bf16, 2^-24 f32
  bool scaled = false;               ///< A and B come with float32 scales
};

const DTypeFacts& FactsOf(DType dtype);
std::optional<DType> ParseDType(std::string_view name);

}  // namespace croq
