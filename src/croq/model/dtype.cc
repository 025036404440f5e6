#include "croq/model/dtype.h"

#include "croq/base/check.h"

namespace croq {

const DTypeFacts& FactsOf(DType dtype) {
  static constexpr ElementFacts kHalf{2, "fp16", "float16"};
  static constexpr ElementFacts kBfloat{2, "bf16", "bfloat16"};
  static constexpr ElementFacts kFloat{4, "fp32", "float32"};
  static constexpr ElementFacts kFloat8{1, "fp8e4nv", "float8_e4m3fn"};
  static constexpr DTypeFacts kF16{"f16fp32", kHalf, kHalf, "", 0x1p-11};
  static constexpr DTypeFacts kBf16{"bf16fp32", kBfloat, kBfloat, "", 0x1p-8};
  static constexpr DTypeFacts kF32{"f32", kFloat, kFloat, "ieee", 0x1p-24};
  static constexpr DTypeFacts kTf32{"tf32fp32", kFloat, kFloat, "tf32", 0x1p-24};
  static constexpr DTypeFacts kE4m3{"e4m3fp32", kFloat8, kBfloat, "", 0x1p-8, true};
  static constexpr DTypeFacts kE4m3Half{"e4m3fp16fp32", kFloat8, kHalf, "", 0x1p-11, true};
  switch (dtype) {
    case DType::kF16Fp32:
      return kF16;
    case DType::kBf16Fp32:
      return kBf16;
    case DType::kF32:
      return kF32;
    case DType::kTf32Fp32:
      return kTf32;
    case DType::kE4m3Fp32:
      return kE4m3;
    case DType::kE4m3Fp16Fp32:
      return kE4m3Half;
  }
  CROQ_CHECK(false);
  return kF16;
}

std::optional<DType> ParseDType(std::string_view name) {
  for (const DType dtype : kAllDTypes) {
    if (FactsOf(dtype).name == name) return dtype;
  }
  return std::nullopt;
}

}  // namespace croq
