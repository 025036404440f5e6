#include "croq/model/shape_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "croq/base/check.h"

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

Result<std::int64_t> ParseDimension(std::string_view key, std::string_view name,
                                    std::string_view text) {
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

struct Parts {
  std::string_view op;
  std::string_view dtype;
  std::string_view dimensions;
};

Result<Parts> SplitKey(std::string_view text) {
  const std::size_t dims_at = text.rfind('_');
  const std::string_view head = text.substr(0, dims_at);
  const std::size_t dtype_at = head.rfind('_');
  if (dims_at == std::string_view::npos || dtype_at == std::string_view::npos) {
    return Malformed(text, "it is not <operator>_<dtype>_<M>x<N>x<K>");
  }
  return Parts{head.substr(0, dtype_at), head.substr(dtype_at + 1), text.substr(dims_at + 1)};
}

Result<DType> ReadDType(std::string_view text, std::string_view name) {
  const std::optional<DType> parsed = ParseDType(name);
  if (parsed) return *parsed;
  return Malformed(text, fmt::format("unknown dtype '{}' (there are {})", name, DTypeList()));
}

}  // namespace

std::string_view NameOf(Operator op) {
  switch (op) {
    case Operator::kMatmul: return "matmul";
    case Operator::kMatmulNt: return "matmul_nt";
    case Operator::kBrought: return "brought";
  }
  CROQ_CHECK(false);
  return "";
}

double ShapeKey::Flops() const {
  if (op == Operator::kBrought) return stated_flops;
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

double ShapeKey::CompulsoryBytes() const {
  if (op == Operator::kBrought) return stated_bytes;
  const double elements = static_cast<double>(m) * static_cast<double>(k) +
                          static_cast<double>(k) * static_cast<double>(n) +
                          static_cast<double>(m) * static_cast<double>(n);
  return elements * FactsOf(dtype).bytes;
}

Result<ShapeKey> ParseShapeKey(std::string_view text) {
  CROQ_ASSIGN(const Parts split, SplitKey(text));
  ShapeKey key;
  key.text = std::string(text);
  const std::string_view op = split.op;
  if (op == NameOf(Operator::kMatmul)) {
    key.op = Operator::kMatmul;
  } else if (op == NameOf(Operator::kMatmulNt)) {
    key.op = Operator::kMatmulNt;
  } else {
    return Malformed(text, fmt::format("unknown operator '{}' (there are matmul and matmul_nt)", op));
  }
  CROQ_ASSIGN(key.dtype, ReadDType(text, split.dtype));
  CROQ_ASSIGN(const auto parts, SplitDimensions(text, split.dimensions));
  CROQ_ASSIGN(key.m, ParseDimension(text, "M", parts[0]));
  CROQ_ASSIGN(key.n, ParseDimension(text, "N", parts[1]));
  CROQ_ASSIGN(key.k, ParseDimension(text, "K", parts[2]));
  return key;
}

bool IsOperatorWord(std::string_view word) {
  constexpr std::size_t kLongest = 64;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !word.empty() && word.size() <= kLongest && word.front() >= 'a' && word.front() <= 'z' &&
         word.back() != '_' && word.find("__") == std::string_view::npos &&
         std::all_of(word.begin(), word.end(), fits);
}

Result<ShapeKey> MakeBroughtKey(std::string_view word, DType dtype,
                                std::vector<Dimension> dimensions) {
  if (!IsOperatorWord(word)) {
    return UsageFailure(fmt::format("operator '{}': it is 1-64 of a-z, 0-9 and _, starts with a "
                                    "letter and does not end in _, such as softmax", word));
  }
  if (word == NameOf(Operator::kMatmul) || word == NameOf(Operator::kMatmulNt)) {
    return UsageFailure(fmt::format("operator '{0}' is croq's own, and its sessions are: give the "
                                    "kernel a name of its own, such as my_{0}", word));
  }
  if (dimensions.empty()) {
    return UsageFailure(fmt::format("operator '{}' has no dimension: its shape key needs one", word));
  }
  ShapeKey key;
  key.op = Operator::kBrought;
  key.word = word;
  key.dtype = dtype;
  key.text = fmt::format("{}_{}_", word, FactsOf(dtype).name);
  for (const Dimension& dimension : dimensions) {
    if (&dimension != &dimensions.front()) key.text += 'x';
    key.text += std::to_string(dimension.value);
  }
  for (const Dimension& dimension : dimensions) {
    if (dimension.value >= 1 && dimension.value <= std::numeric_limits<std::int32_t>::max()) continue;
    return UsageFailure(fmt::format("dimension {} is {}, but it must lie in 1..2147483647",
                                    dimension.name, dimension.value));
  }
  key.dimensions = std::move(dimensions);
  return key;
}

Result<ShapeKey> ParseAnyShapeKey(std::string_view text) {
  CROQ_ASSIGN(const Parts split, SplitKey(text));
  if (split.op == NameOf(Operator::kMatmul) || split.op == NameOf(Operator::kMatmulNt)) {
    return ParseShapeKey(text);
  }
  CROQ_ASSIGN(const DType dtype, ReadDType(text, split.dtype));
  std::vector<Dimension> dimensions;
  for (std::string_view rest = split.dimensions;;) {
    const std::size_t end = rest.find('x');
    CROQ_ASSIGN(const std::int64_t value,
                ParseDimension(text, std::to_string(dimensions.size() + 1), rest.substr(0, end)));
    dimensions.push_back({"", value});
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return MakeBroughtKey(split.op, dtype, std::move(dimensions));
}

}  // namespace croq
