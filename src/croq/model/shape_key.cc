#include "croq/model/shape_key.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

namespace croq {
namespace {

constexpr std::string_view kExample = "matmul_f16fp32_4096x4096x4096";

tl::unexpected<Error> Malformed(std::string_view key, const std::string& what) {
  return UsageFailure(fmt::format("shape key '{}': {}; a right one is {} (M x N x K)", key, what,
                                  kExample));
}

std::string DTypeList() {
  std::string list;
  for (const DType dtype : kAllDTypes) {
    if (!list.empty()) list += ", ";
    list += FactsOf(dtype).name;
  }
  return list;
}

Result<std::int64_t> ParseDimension(std::string_view key, char name, std::string_view text) {
  if (text.empty()) return Malformed(key, fmt::format("dimension {} is missing", name));
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) {
    return Malformed(key, fmt::format("dimension {} is '{}', not a whole number", name, text));
  }
  if (code == std::errc::result_out_of_range || value > std::numeric_limits<std::int32_t>::max()) {
    return Malformed(key, fmt::format("dimension {} is {}, above the limit of 2147483647", name,
                                      text));
  }
  if (code != std::errc()) {
    return Malformed(key, fmt::format("dimension {} is '{}', not a whole number", name, text));
  }
  if (value < 1) {
    return Malformed(key, fmt::format("dimension {} is {}, but must be at least 1", name, value));
  }
  if (text.front() == '0') {
    return Malformed(key, fmt::format("dimension {} is '{}': no leading zeros", name, text));
  }
  return value;
}

/// Splits at every 'x'; a key has exactly three dimensions.
Result<std::array<std::string_view, 3>> SplitDimensions(std::string_view key,
                                                        std::string_view text) {
  std::array<std::string_view, 3> parts;
  std::size_t count = 0;
  while (true) {
    const std::size_t end = text.find('x');
    if (count < parts.size()) parts[count] = text.substr(0, end);
    ++count;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (count != parts.size()) {
    return Malformed(key, fmt::format("it has {} dimension{} where M x N x K needs three", count,
                                      count == 1 ? "" : "s"));
  }
  return parts;
}

}  // namespace

std::string_view NameOf(Operator op) { return op == Operator::kMatmul ? "matmul" : "matmul_nt"; }

double ShapeKey::CompulsoryBytes() const {
  const double elements = static_cast<double>(m) * static_cast<double>(k) +
                          static_cast<double>(k) * static_cast<double>(n) +
                          static_cast<double>(m) * static_cast<double>(n);
  return elements * FactsOf(dtype).bytes;
}

Result<ShapeKey> ParseShapeKey(std::string_view text) {
  const std::size_t dims_at = text.rfind('_');
  if (dims_at == std::string_view::npos) {
    return Malformed(text, "it is not <operator>_<dtype>_<M>x<N>x<K>");
  }
  const std::string_view head = text.substr(0, dims_at);
  const std::size_t dtype_at = head.rfind('_');
  if (dtype_at == std::string_view::npos) {
    return Malformed(text, "it is not <operator>_<dtype>_<M>x<N>x<K>");
  }
  ShapeKey key;
  key.text = std::string(text);
  const std::string_view op = head.substr(0, dtype_at);
  if (op == NameOf(Operator::kMatmul)) {
    key.op = Operator::kMatmul;
  } else if (op == NameOf(Operator::kMatmulNt)) {
    key.op = Operator::kMatmulNt;
  } else {
    return Malformed(text, fmt::format("unknown operator '{}' (there are matmul and matmul_nt)", op));
  }
  const std::string_view dtype = head.substr(dtype_at + 1);
  const std::optional<DType> parsed = ParseDType(dtype);
  if (!parsed) {
    return Malformed(text, fmt::format("unknown dtype '{}' (there are {})", dtype, DTypeList()));
  }
  key.dtype = *parsed;
  CROQ_ASSIGN(const auto parts, SplitDimensions(text, text.substr(dims_at + 1)));
  CROQ_ASSIGN(key.m, ParseDimension(text, 'M', parts[0]));
  CROQ_ASSIGN(key.n, ParseDimension(text, 'N', parts[1]));
  CROQ_ASSIGN(key.k, ParseDimension(text, 'K', parts[2]));
  return key;
}

}  // namespace croq
