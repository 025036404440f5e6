#include "croq_runner/element.h"

namespace croq::runner {
namespace {

struct Named {
  std::string_view name;
  Element element;
  Rounding rounding;
  double tolerance;
};

constexpr Named kElements[] = {
    {"fp16", Element::kF16, {0x1p-11, 0x1p-25}, 1e-3},
    {"bf16", Element::kBf16, {0x1p-8, 0x1p-134}, 1e-2},
    {"fp32", Element::kF32, {0x1p-24, 0x1p-150}, 1e-4},
    // Its reference is float32 too.
    {"fp64", Element::kF64, {0x1p-24, 0x1p-150}, 1e-4},
    {"fp8e4nv", Element::kF8E4, {0x1p-4, 0x1p-10}, 1e-2},
    {"fp8e5", Element::kF8E5, {0x1p-3, 0x1p-17}, 1e-2},
    {"i8", Element::kI8, {}, 0},
    {"i16", Element::kI16, {}, 0},
    {"i32", Element::kI32, {}, 0},
    {"i64", Element::kI64, {}, 0},
    {"u8", Element::kU8, {}, 0},
    {"i1", Element::kBool, {}, 0},
};

const Named& Find(Element element) {
  for (const Named& named : kElements) {
    if (named.element == element)
      return named;
  }
  return kElements[0];
}

}  // namespace

std::optional<Element> ElementNamed(std::string_view triton_name) {
  for (const Named& named : kElements) {
    if (named.name == triton_name)
      return named.element;
  }
  return std::nullopt;
}

Rounding RoundingOf(Element element) {
  return Find(element).rounding;
}

double DefaultTolerance(Element element) {
  return Find(element).tolerance;
}

}  // namespace croq::runner
