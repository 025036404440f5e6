#include "croq/model/dtype.h"

#include "croq/base/check.h"

namespace croq {

const DTypeFacts& FactsOf(DType dtype) {
  static constexpr DTypeFacts kF16{"f16fp32", 2, "fp16", "float16", "", 0x1p-11};
  static constexpr DTypeFacts kBf16{"bf16fp32", 2, "bf16", "bfloat16", "", 0x1p-8};
  static constexpr DTypeFacts kF32{"f32", 4, "fp32", "float32", "ieee", 0x1p-24};
  static constexpr DTypeFacts kTf32{"tf32fp32", 4, "fp32", "float32", "tf32", 0x1p-24};
  switch (dtype) {
    case DType::kF16Fp32:
      return kF16;
    case DType::kBf16Fp32:
      return kBf16;
    case DType::kF32:
      return kF32;
    case DType::kTf32Fp32:
      return kTf32;
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
