#include "croq/operators/constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "croq/model/scaling.h"
#include "croq/operators/resources.h"
#include "croq/operators/split_constraints.h"

namespace croq::operators {
namespace {

using Reason = std::optional<std::string>;

constexpr std::int64_t kMinDot = 16;         ///< tl.dot's smallest M, N and K on tensor cores
constexpr std::int64_t kMinDotFloat8 = 32;   ///< its smallest K for FP8
constexpr std::int64_t kWgmmaRows = 64;      ///< of the left operand, a warp group
constexpr std::int64_t kMaxBox = 256;        ///< elements of one TMA box dimension
constexpr std::int64_t kDescriptorAlign = 16;  ///< bytes: TMA's row step and smallest inner box
constexpr std::int64_t kMaxNumel = 1 << 20;  ///< elements of a Triton tensor
constexpr std::int64_t kMinSplitColumns = 64;
/// Warp-specialised tiles below these, or with more stages, were wrong on an H200 (Triton 3.6: parts
/// of C unwritten at 128x32x32 in f16, NaN at five stages in f16, bf16 and e4m3).
constexpr std::int64_t kMinSpecialised = 64;
constexpr std::int64_t kMinSpecialisedBytes = 128;
constexpr std::int64_t kMaxSpecialisedStages = 4;
/// Registers that a thread needs beside the accumulator: 154 are used for 128 at best.
constexpr std::int64_t kOtherRegisters = 24;
/// IEEE f32 dots are unrolled into FMAs: twice as many took ptxas 5 to 11 seconds and spilt.
constexpr std::int64_t kMaxUnrolledFmas = 4096;
/// Shared memory that the driver keeps of each resident block.
constexpr std::int64_t kReservedShared = 1024;

bool IsPowerOfTwo(std::int64_t value) {
  return std::has_single_bit(static_cast<std::uint64_t>(value));
}

Reason CheckForm(const MatmulProblem&, const MatmulConfig& config) {
  const std::pair<const char*, std::int64_t> powers[] = {{"BLOCK_M", config.block_m},
                                                         {"BLOCK_N", config.block_n},
                                                         {"BLOCK_K", config.block_k},
                                                         {"num_warps", config.num_warps},
                                                         {"num_ctas", config.num_ctas}};
  for (const auto& [name, value] : powers) {
    if (!IsPowerOfTwo(value)) return fmt::format("{}={} is not a power of two", name, value);
  }
  const std::int64_t parts = config.variant->Descriptors() && !config.variant->stream_k ? 4 : 2;
  if (config.epilogue_split > parts) {
    return fmt::format("EPILOGUE_SPLIT={}: the variant {} stores a tile in up to {} parts",
                       config.epilogue_split, config.variant->name, parts);
  }
  return std::nullopt;
}

Reason CheckDot(const MatmulProblem&, const MatmulConfig& config) {
  if (config.block_m < kMinDot || config.block_n < kMinDot || config.block_k < kMinDot) {
    return fmt::format("tile {}x{}x{} is below tl.dot's {}x{}x{}", config.block_m, config.block_n,
                       config.block_k, kMinDot, kMinDot, kMinDot);
  }
  const std::int64_t largest = std::max({config.block_m * config.block_n,
                                         config.block_m * config.block_k,
                                         config.block_n * config.block_k});
  if (largest > kMaxNumel) {
    return fmt::format("a block of {} elements exceeds Triton's {}", largest, kMaxNumel);
  }
  return std::nullopt;
}

/// FP8's own limits.
Reason CheckFloat8(const MatmulProblem& problem, const MatmulConfig& config) {
  if (!problem.scaled()) return std::nullopt;
  if (config.block_k < kMinDotFloat8) {
    return fmt::format("BLOCK_K={} is below the {} of an FP8 dot", config.block_k, kMinDotFloat8);
  }
  if (problem.block_scaled() && !config.variant->BlockScales()) {
    return fmt::format("the variant {} has no block scales", config.variant->name);
  }
  if (problem.block_scaled() && config.block_k > kScaleBlock) {
    return fmt::format("BLOCK_K={} spans several scales of {} elements", config.block_k, kScaleBlock);
  }
  return std::nullopt;
}

Reason CheckDescriptors(const MatmulProblem& problem, const MatmulConfig& config) {
  if (!config.variant->Descriptors()) return std::nullopt;
  if (problem.device.compute_capability < 90) {
    return fmt::format("tensor descriptors need sm_90, the device is sm_{}",
                       problem.device.compute_capability);
  }
  if (!AllowsDescriptors(problem.shape)) {
    return fmt::format("TMA needs rows of {}-byte steps: N={} and K={} of {} bytes are not",
                       kDescriptorAlign, problem.shape.n, problem.shape.k, problem.bytes());
  }
  if (std::max({config.block_m, config.block_n, config.block_k}) > kMaxBox) {
    return fmt::format("a TMA box has at most {} elements a dimension", kMaxBox);
  }
  const std::int64_t inner =
      std::min(config.block_k * problem.bytes(),
               config.block_n / config.epilogue_split * problem.result_bytes());
  if (inner < kDescriptorAlign) {
    return fmt::format("the inner box of {} bytes is below TMA's {}", inner, kDescriptorAlign);
  }
  return std::nullopt;
}

Reason CheckRegisters(const MatmulProblem& problem, const MatmulConfig& config) {
  const MatmulResources need = EstimateResources(problem, config);
  if (need.accumulators_per_thread + kOtherRegisters > need.registers_per_thread) {
    return fmt::format("the accumulator takes {} registers a thread of {}",
                       need.accumulators_per_thread, need.registers_per_thread);
  }
  const std::int64_t fmas =
      need.accumulators_per_thread * config.block_k * (problem.tensor_cores() ? 0 : 1);
  if (fmas > kMaxUnrolledFmas) {
    return fmt::format("an f32 step unrolls into {} multiply-adds a thread, above {}", fmas,
                       kMaxUnrolledFmas);
  }
  return std::nullopt;
}

Reason CheckShared(const MatmulProblem& problem, const MatmulConfig& config) {
  const std::int64_t need = EstimateResources(problem, config).shared_bytes;
  if (need > problem.device.shared_bytes_per_block) {
    return fmt::format("shared memory: at least {} bytes of {}", need,
                       problem.device.shared_bytes_per_block);
  }
  return std::nullopt;
}

Reason CheckCluster(const MatmulProblem& problem, const MatmulConfig& config) {
  if (config.num_ctas == 1) return std::nullopt;
  if (problem.device.compute_capability < 90) {
    return fmt::format("num_ctas={} needs sm_90, the device is sm_{}", config.num_ctas,
                       problem.device.compute_capability);
  }
  // Triton 3.6 builds it, and half of C comes out wrong on some configurations (seen on an H200 with
  // descriptors of either kind; no rule found for which). Where it was right it gained nothing.
  if (config.variant->Descriptors()) return "num_ctas > 1 with descriptors gives wrong numbers";
  // Splitting an accumulator that is spread over a cluster ends in `PassManager::run failed`.
  if (config.epilogue_split > 1) return "EPILOGUE_SPLIT and num_ctas > 1 don't compile together";
  return std::nullopt;
}

Reason CheckEviction(const MatmulProblem& problem, const MatmulConfig& config) {
  constexpr const char* kReason =
      "{}={} has no effect: loads that run ahead (cp.async) carry no eviction policy";
  if (!config.evict_a.empty() && PipelinesA(problem, config)) {
    return fmt::format(kReason, "EVICT_A", config.evict_a);
  }
  if (!config.evict_b.empty() && PipelinesB(problem, config)) {
    return fmt::format(kReason, "EVICT_B", config.evict_b);
  }
  return std::nullopt;
}

/// What Triton's Hopper pass takes; anything else is silently not specialised or fails in it.
Reason CheckWarpSpecialize(const MatmulProblem& problem, const MatmulConfig& config) {
  if (!config.warp_specialize) return std::nullopt;
  const bool operands_in_place = problem.shape.dtype != DType::kTf32Fp32 || problem.b_is_nk();
  if (!problem.tensor_cores() || !operands_in_place) {
    return "warp specialisation needs wgmma with both operands in shared memory";
  }
  if (config.num_warps != 4) {
    return fmt::format("warp specialisation needs num_warps=4, not {}", config.num_warps);
  }
  if (config.block_m < 128) {
    return fmt::format("warp specialisation needs BLOCK_M of 128 for two consumers, not {}",
                       config.block_m);
  }
  if (config.flatten || config.epilogue_split > 1 || config.num_ctas > 1) {
    return "warp specialisation goes with neither FLATTEN, EPILOGUE_SPLIT nor num_ctas > 1";
  }
  if (config.num_stages < 2 || config.num_stages > kMaxSpecialisedStages) {
    return fmt::format("warp specialisation needs num_stages of 2 to {}", kMaxSpecialisedStages);
  }
  if (config.block_n < kMinSpecialised || config.block_k * problem.bytes() < kMinSpecialisedBytes) {
    return fmt::format("{}x{} steps with warp specialisation leave parts of C unwritten",
                       config.block_n, config.block_k);
  }
  return std::nullopt;
}

Reason CheckTile(const MatmulProblem& problem, const MatmulConfig& config) {
  const ShapeKey& shape = problem.shape;
  const std::tuple<const char*, std::int64_t, char, std::int64_t, std::int64_t> blocks[] = {
      {"BLOCK_M", config.block_m, 'M', shape.m, kMinDot},
      {"BLOCK_N", config.block_n, 'N', shape.n, 2 * kMinDot},
      {"BLOCK_K", config.block_k, 'K', shape.k, 2 * kMinDot}};
  for (const auto& [block, size, dimension, length, smallest] : blocks) {
    if (size > std::max(smallest, NextPowerOfTwo(length))) {
      return fmt::format("{}={} is beyond {}={}", block, size, dimension, length);
    }
  }
  if (config.group_m > NextPowerOfTwo(config.TilesM(shape))) {
    return fmt::format("GROUP_M={} is beyond the {} rows of tiles", config.group_m,
                       config.TilesM(shape));
  }
  if (config.num_stages > config.StepsK(shape) + 1) {
    return fmt::format("num_stages={} is beyond the {} steps over K", config.num_stages,
                       config.StepsK(shape));
  }
  if (config.epilogue_split > 1 && 2 * config.block_n < kMinSplitColumns * config.epilogue_split) {
    return fmt::format("BLOCK_N={} is too narrow to be stored in parts", config.block_n);
  }
  return std::nullopt;
}

Reason CheckSkinny(const MatmulProblem& problem, const MatmulConfig& config) {
  if (!config.variant->skinny) return std::nullopt;
  if (!problem.tensor_cores()) return "the transposed tile is for the matrix units' 64 rows";
  if (config.block_n < kWgmmaRows) {
    return fmt::format("BLOCK_N={} gives the transposed tile less than {} rows", config.block_n,
                       kWgmmaRows);
  }
  return std::nullopt;
}

Reason CheckPersistent(const MatmulProblem& problem, const MatmulConfig& config) {
  if (!config.variant->persistent) return std::nullopt;
  const std::int64_t tiles = config.Tiles(problem.shape);
  const std::int64_t programs = config.NumPrograms(problem.device);
  if (tiles <= programs && !config.variant->stream_k) {
    return fmt::format("{} tiles keep {} persistent programs busy only once", tiles, programs);
  }
  const std::int64_t resident = config.programs_per_sm;
  if (resident == 1) return std::nullopt;
  const MatmulResources need = EstimateResources(problem, config);
  if ((need.shared_bytes + kReservedShared) * resident > problem.device.shared_bytes_per_sm) {
    return fmt::format("PROGRAMS_PER_SM={}: {} bytes of shared memory each don't fit in {}",
                       resident, need.shared_bytes, problem.device.shared_bytes_per_sm);
  }
  const std::int64_t registers =
      (need.accumulators_per_thread + kOtherRegisters) * config.Threads() * resident;
  if (registers > problem.device.registers_per_sm) {
    return fmt::format("PROGRAMS_PER_SM={}: {} registers don't fit in {}", resident, registers,
                       problem.device.registers_per_sm);
  }
  return std::nullopt;
}

}  // namespace

bool AllowsDescriptors(const ShapeKey& shape) {
  const DTypeFacts& facts = FactsOf(shape.dtype);
  const std::int64_t b_row = shape.BIsNk() ? shape.k : shape.n;
  return shape.k * facts.operand.bytes % kDescriptorAlign == 0 &&
         b_row * facts.operand.bytes % kDescriptorAlign == 0 &&
         shape.n * facts.result.bytes % kDescriptorAlign == 0;
}

std::optional<std::string> RejectMatmul(const MatmulProblem& problem, const Config& config) {
  const Result<MatmulConfig> read = ReadMatmulConfig(config);
  if (!read) return read.error().message;
  for (const auto check : {CheckForm, CheckDot, CheckFloat8, CheckTile, CheckDescriptors, CheckCluster,
                           CheckEviction, CheckWarpSpecialize, CheckSkinny, CheckSplitK, CheckStreamK,
                           CheckRegisters, CheckShared, CheckPersistent}) {
    if (Reason reason = check(problem, *read)) return reason;
  }
  return std::nullopt;
}

}  // namespace croq::operators
