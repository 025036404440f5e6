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
constexpr Operator kBuiltIn[] = {Operator::kMatmul, Operator::kMatmulNt, Operator::kBlockscaleGemm};

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

std::optional<Operator> BuiltInNamed(std::string_view name) {
  for (const Operator op : kBuiltIn) {
    if (NameOf(op) == name) return op;
  }
  return std::nullopt;
}

/// Which operator takes which dtype.
Status CheckPair(const ShapeKey& key) {
  const std::string_view dtype = FactsOf(key.dtype).name;
  const std::string rest = key.text.substr(key.text.rfind('_') + 1);
  if (key.op == Operator::kBlockscaleGemm && key.dtype != DType::kE4m3Fp16Fp32) {
    return Malformed(key.text, fmt::format("blockscale_gemm is of e4m3fp16fp32, not {}: try "
                                           "blockscale_gemm_e4m3fp16fp32_{}", dtype, rest));
  }
  if (key.op != Operator::kBlockscaleGemm && key.dtype == DType::kE4m3Fp16Fp32) {
    return Malformed(key.text, fmt::format("e4m3fp16fp32 has a scale a block: it is "
                                           "blockscale_gemm_e4m3fp16fp32_{}", rest));
  }
  if (key.op == Operator::kMatmul && key.dtype == DType::kE4m3Fp32) {
    return Malformed(key.text, fmt::format("FP8 matrix units want B as [N, K]: it is "
                                           "matmul_nt_e4m3fp32_{}", rest));
  }
  constexpr std::int64_t kRow = 16;
  if (FactsOf(key.dtype).scaled && (key.n % kRow != 0 || key.k % kRow != 0)) {
    return Malformed(key.text, fmt::format("FP8 needs N and K in multiples of {}, for the library "
                                           "and the copy engine alike; here they are {} and {}",
                                           kRow, key.n, key.k));
  }
  return {};
}

}  // namespace

std::string_view NameOf(Operator op) {
  switch (op) {
    case Operator::kMatmul: return "matmul";
    case Operator::kMatmulNt: return "matmul_nt";
    case Operator::kBlockscaleGemm: return "blockscale_gemm";
    case Operator::kBrought: return "brought";
  }
  CROQ_CHECK(false);
  return "";
}

std::string_view ShapeKey::LibraryCall() const {
  if (op == Operator::kBlockscaleGemm) return "torch.matmul of dequantised operands";
  return FactsOf(dtype).scaled ? "torch._scaled_mm" : "torch.matmul";
}

double ShapeKey::Flops() const {
  if (op == Operator::kBrought) return stated_flops;
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

double ShapeKey::CompulsoryBytes() const {
  if (op == Operator::kBrought) return stated_bytes;
  const double operands = static_cast<double>(m + n) * static_cast<double>(k);
  const double result = static_cast<double>(m) * static_cast<double>(n);
  return operands * FactsOf(dtype).operand.bytes + result * FactsOf(dtype).result.bytes;
}

Result<ShapeKey> ParseShapeKey(std::string_view text) {
  CROQ_ASSIGN(const Parts split, SplitKey(text));
  ShapeKey key;
  key.text = std::string(text);
  const std::optional<Operator> op = BuiltInNamed(split.op);
  if (!op) {
    return Malformed(text, fmt::format("unknown operator '{}' (there are matmul, matmul_nt and "
                                       "blockscale_gemm)", split.op));
  }
  key.op = *op;
  CROQ_ASSIGN(key.dtype, ReadDType(text, split.dtype));
  CROQ_ASSIGN(const auto parts, SplitDimensions(text, split.dimensions));
  CROQ_ASSIGN(key.m, ParseDimension(text, "M", parts[0]));
  CROQ_ASSIGN(key.n, ParseDimension(text, "N", parts[1]));
  CROQ_ASSIGN(key.k, ParseDimension(text, "K", parts[2]));
  CROQ_TRY(CheckPair(key));
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
  if (BuiltInNamed(word)) {
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
  if (BuiltInNamed(split.op)) return ParseShapeKey(text);
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
