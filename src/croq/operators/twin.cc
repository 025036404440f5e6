#include "croq/operators/twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace croq::operators {
namespace {

constexpr std::int64_t kTwinBlock = 32;
constexpr std::int64_t kTwinGroup = 2;
constexpr int kTwinPrograms = 4;
constexpr std::int64_t kTwinParts = 2;  ///< of the 3 steps over K, so one is longer

/// A length of about `blocks` blocks of `twin_block` that `twin_block` divides exactly where
/// `block` divides `length`, with the same largest power of two up to 16 in it.
std::int64_t TwinLength(std::int64_t length, std::int64_t block, std::int64_t twin_block,
                        std::int64_t blocks) {
  const std::int64_t power = std::gcd(length, kHint);
  if (length % block == 0) return std::min(length, blocks * twin_block);
  const std::int64_t rest = 3 * power < twin_block ? 3 * power : power;
  const std::int64_t ragged = (blocks - 1) * twin_block + rest;
  if (length < ragged && length % twin_block != 0) return length;
  return ragged;
}

void SetNumber(Config* config, const char* lever, std::int64_t value) {
  if (config->values.contains(lever)) config->values.insert_or_assign(lever, value);
}

}  // namespace

MatmulTwin MakeMatmulTwin(const MatmulProblem& problem, const Config& config,
                          const MatmulConfig& read) {
  const std::int64_t block_m = std::min(read.block_m, kTwinBlock);
  // Of block scales there are several along K, and a tile as wide spans as many along N.
  const bool whole = problem.block_scaled();
  const std::int64_t block_n = whole ? read.block_n : std::min(read.block_n, kTwinBlock);
  const std::int64_t block_k = whole ? read.block_k : std::min(read.block_k, kTwinBlock);
  MatmulTwin twin{problem, config};
  ShapeKey& shape = twin.problem.shape;
  shape.m = TwinLength(problem.shape.m, read.block_m, block_m, 3);
  shape.n = TwinLength(problem.shape.n, read.block_n, block_n, 2);
  shape.k = TwinLength(problem.shape.k, read.block_k, block_k, whole ? 2 : 3);
  if (shape.dtype == DType::kBf16Fp32) shape.dtype = DType::kF16Fp32;
  if (shape.dtype == DType::kE4m3Fp32) shape.dtype = DType::kE4m3Fp16Fp32;
  shape.text = fmt::format("{}_{}_{}x{}x{}", NameOf(shape.op), FactsOf(shape.dtype).name, shape.m,
                           shape.n, shape.k);
  twin.problem.device.sm_count = kTwinPrograms;
  SetNumber(&twin.config, "BLOCK_M", block_m);
  SetNumber(&twin.config, "BLOCK_N", block_n);
  SetNumber(&twin.config, "BLOCK_K", block_k);
  SetNumber(&twin.config, "GROUP_M", std::min(read.group_m, kTwinGroup));
  SetNumber(&twin.config, "SPLIT_K", std::min(read.split_k, kTwinParts));
  SetNumber(&twin.config, "PROGRAMS_PER_SM", 1);
  SetNumber(&twin.config, "num_ctas", 1);
  return twin;
}

}  // namespace croq::operators
