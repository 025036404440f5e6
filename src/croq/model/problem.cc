#include "croq/model/problem.h"

#include "croq/base/check.h"

namespace croq {
namespace {

struct Element {
  std::string_view triton;
  std::string_view torch;
  std::int64_t bytes;
  bool real;
};

constexpr Element kElements[] = {
    {"fp16", "float16", 2, true},           {"bf16", "bfloat16", 2, true},
    {"fp32", "float32", 4, true},           {"fp64", "float64", 8, true},
    {"fp8e4nv", "float8_e4m3fn", 1, true},  {"fp8e5", "float8_e5m2", 1, true},
    {"i8", "int8", 1, false},               {"i16", "int16", 2, false},
    {"i32", "int32", 4, false},             {"i64", "int64", 8, false},
    {"u8", "uint8", 1, false},              {"i1", "bool", 1, false},
};

const Element* FindElement(std::string_view triton) {
  for (const Element& element : kElements) {
    if (element.triton == triton) return &element;
  }
  return nullptr;
}

}  // namespace

std::optional<std::int64_t> ElementBytes(std::string_view element) {
  const Element* found = FindElement(element);
  return found == nullptr ? std::nullopt : std::optional(found->bytes);
}

std::optional<std::string_view> ElementOf(std::string_view name) {
  constexpr std::string_view kPrefix = "torch.";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  for (const Element& element : kElements) {
    if (element.torch == name || element.triton == name) return element.triton;
  }
  return std::nullopt;
}

std::vector<std::string> TorchElements() {
  std::vector<std::string> names;
  for (const Element& element : kElements) names.emplace_back(element.torch);
  return names;
}

bool IsFloatElement(std::string_view element) {
  const Element* found = FindElement(element);
  return found != nullptr && found->real;
}

std::int64_t TensorSpec::Elements() const {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  return count;
}

std::int64_t TensorSpec::Bytes() const {
  const std::optional<std::int64_t> bytes = ElementBytes(element);
  CROQ_CHECK(bytes.has_value());
  return Elements() * *bytes;
}

const TensorSpec* Problem::Find(std::string_view name) const {
  for (const TensorSpec& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

std::int64_t Problem::TensorBytes() const {
  std::int64_t sum = 0;
  for (const TensorSpec& tensor : tensors) sum += tensor.Bytes();
  return sum;
}

}  // namespace croq
