#include "croq/operators/matmul_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <variant>

namespace croq::operators {
namespace {

/// Reads levers one by one and remembers the first that is wrong.
class LeverReader {
 public:
  explicit LeverReader(const Config& config) : config_(config) {}

  /// `absent` serves where the variant does not have the lever; without it the lever must be there.
  std::int64_t Number(std::string_view lever, std::optional<std::int64_t> absent = {}) {
    const auto found = config_.values.find(lever);
    if (found == config_.values.end()) {
      if (!absent) Note(fmt::format("lever {} is missing", lever));
      return absent.value_or(1);
    }
    const auto* number = std::get_if<std::int64_t>(&found->second);
    if (number == nullptr || *number < 0) {
      Note(fmt::format("lever {} is '{}', not a number", lever, ToText(found->second)));
      return absent.value_or(1);
    }
    return *number;
  }

  std::int64_t Positive(std::string_view lever, std::optional<std::int64_t> absent = {}) {
    const std::int64_t number = Number(lever, absent);
    if (number < 1) Note(fmt::format("lever {} is {}, but must be at least 1", lever, number));
    return std::max<std::int64_t>(number, 1);
  }

  std::string Eviction(std::string_view lever) {
    const auto found = config_.values.find(lever);
    if (found == config_.values.end()) return "";
    const std::string word = ToText(found->second);
    if (word == "none") return "";
    if (word != "evict_first" && word != "evict_last") {
      Note(fmt::format("lever {} is '{}', not none, evict_first or evict_last", lever, word));
    }
    return word;
  }

  const std::string& problem() const { return problem_; }

 private:
  void Note(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  const Config& config_;
  std::string problem_;
};

std::string VariantList() {
  std::string list;
  for (const MatmulVariant& variant : kMatmulVariants) {
    if (!list.empty()) list += ", ";
    list += variant.name;
  }
  return list;
}

}  // namespace

const MatmulVariant* FindMatmulVariant(std::string_view name) {
  for (const MatmulVariant& variant : kMatmulVariants) {
    if (variant.name == name) return &variant;
  }
  return nullptr;
}

std::int64_t MatmulConfig::NumPrograms(const DeviceFacts& device) const {
  return std::max<std::int64_t>(1, device.sm_count * programs_per_sm / num_ctas);
}

std::int64_t MatmulConfig::Grid(const MatmulProblem& problem) const {
  const std::int64_t tiles = Tiles(problem.shape);
  if (variant->stream_k) return NumPrograms(problem.device);
  return variant->persistent ? std::min(tiles, NumPrograms(problem.device)) : tiles;
}

std::int64_t MatmulConfig::SharedTiles(const MatmulProblem& problem) const {
  return variant->stream_k ? Tiles(problem.shape) % NumPrograms(problem.device) : 0;
}

std::int64_t MatmulConfig::WorkspaceBytes(const MatmulProblem& problem) const {
  const int bytes = FactsOf(DType::kF32).operand.bytes;
  if (variant->split_k) return split_k * problem.shape.m * problem.shape.n * bytes;
  // A program's share touches two tiles at most.
  if (variant->stream_k) return 2 * NumPrograms(problem.device) * block_m * block_n * bytes;
  return 0;
}

Result<MatmulConfig> ReadMatmulConfig(const Config& config) {
  MatmulConfig read;
  read.variant = FindMatmulVariant(config.variant);
  if (read.variant == nullptr) {
    return Failure(fmt::format("matmul has no variant '{}' (there are {})", config.variant,
                               VariantList()));
  }
  LeverReader levers(config);
  read.block_m = levers.Positive("BLOCK_M");
  read.block_n = levers.Positive("BLOCK_N");
  read.block_k = levers.Positive("BLOCK_K");
  read.group_m = levers.Positive("GROUP_M");
  read.evict_a = levers.Eviction("EVICT_A");
  read.evict_b = levers.Eviction("EVICT_B");
  read.epilogue_split = levers.Positive("EPILOGUE_SPLIT", 1);
  read.flatten = levers.Number("FLATTEN", 0) != 0;
  read.warp_specialize = levers.Number("WARP_SPECIALIZE", 0) != 0;
  read.programs_per_sm = levers.Positive("PROGRAMS_PER_SM", 1);
  if (read.variant->split_k) read.split_k = levers.Positive("SPLIT_K");
  read.num_warps = levers.Positive("num_warps");
  read.num_stages = levers.Positive("num_stages");
  read.num_ctas = levers.Positive("num_ctas", 1);
  if (!levers.problem().empty()) {
    return Failure(fmt::format("configuration '{}': {}", config.Text(), levers.problem()));
  }
  return read;
}

std::int64_t NextPowerOfTwo(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(value)));
}

}  // namespace croq::operators
