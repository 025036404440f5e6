#include "croq/search/tile_facts.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "croq/model/dtype.h"

namespace croq::search {
namespace {

constexpr std::int64_t kThreadsPerWarp = 32;

std::int64_t CeilDiv(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

bool IsStreamK(const Config& config) {
  return config.variant.starts_with("stream_k");
}

bool IsPersistent(const Config& config) {
  return config.variant.starts_with("persistent") || IsStreamK(config);
}

/// The persistent variants load by descriptor unless they say pointer.
bool UsesDescriptors(const Config& config) {
  if (config.variant.find("pointer") != std::string::npos)
    return false;
  return IsPersistent(config) || config.variant.starts_with("skinny") ||
         config.variant.find("descriptor") != std::string::npos;
}

int CountHints(const Config& config) {
  int hints = 0;
  for (const std::string_view lever : {"EVICT_A", "EVICT_B"}) {
    const auto found = config.values.find(lever);
    if (found == config.values.end())
      continue;
    const auto* word = std::get_if<std::string>(&found->second);
    if (word != nullptr && !word->empty() && *word != "none")
      ++hints;
  }
  return hints;
}

/// How many blocks an SM holds at once, by the scarcest of shared memory, registers and warps.
int BlocksPerSm(const DeviceFacts& device, const TileFacts& facts, double registers,
                std::int64_t shared_bytes) {
  constexpr std::int64_t kReservedPerBlock = 1024;  // CUDA's own, compute capability 8.0 and later
  const std::int64_t shared_per_sm =
      device.shared_bytes_per_sm > 0 ? device.shared_bytes_per_sm : 233472;
  const std::int64_t per_sm = device.registers_per_sm > 0 ? device.registers_per_sm : 65536;
  // Registers are given out to warps in units of 256, 8 a thread.
  const auto per_thread = static_cast<std::int64_t>(std::ceil(std::min(registers, 255.0) / 8)) * 8;
  const std::int64_t by_registers =
      per_sm / std::max<std::int64_t>(1, per_thread * kThreadsPerWarp * facts.warps);
  const std::int64_t by_shared = shared_per_sm / (shared_bytes + kReservedPerBlock);
  const std::int64_t blocks =
      std::min<std::int64_t>({by_shared, by_registers, kWarpsPerSm / facts.warps, kBlocksPerSm});
  return static_cast<int>(std::max<std::int64_t>(1, blocks));
}

void ReadLevers(const Config& config, TileFacts& facts) {
  const auto at_least_one = [&](std::string_view lever, std::int64_t absent) {
    return std::max<std::int64_t>(1, config.IntOr(lever, absent));
  };
  facts.descriptors = UsesDescriptors(config);
  facts.built_in_kernel = config.variant == "persistent";
  facts.transposed = config.variant.starts_with("skinny");
  facts.persistent = IsPersistent(config);
  facts.stream_k = IsStreamK(config);
  facts.flattened = facts.persistent && config.IntOr("FLATTEN", 0) != 0;
  facts.block_m = at_least_one("BLOCK_M", 128);
  facts.block_n = at_least_one("BLOCK_N", 128);
  facts.block_k = at_least_one("BLOCK_K", 64);
  facts.group_m = at_least_one("GROUP_M", 1);
  facts.warps = facts.multiplying_warps = at_least_one("num_warps", 4);
  facts.specialised = config.IntOr("WARP_SPECIALIZE", 0) != 0;
  if (facts.specialised) {
    facts.multiplying_warps *= 2;
    facts.warps *= 3;
  }
  facts.stages = at_least_one("num_stages", 3);
  facts.ctas = at_least_one("num_ctas", 1);
  facts.split_k = at_least_one("SPLIT_K", 1);
  // A cluster's blocks share the program's tile, halving its longer side; num_warps is a block's.
  std::int64_t& longer = facts.block_m >= facts.block_n ? facts.block_m : facts.block_n;
  longer = std::max<std::int64_t>(1, longer / facts.ctas);
  facts.programs_per_sm = at_least_one("PROGRAMS_PER_SM", 1);
  facts.odd_hints = CountHints(config);
}

}  // namespace

std::int64_t EstimateSharedBytes(const ShapeKey& shape, const Config& config) {
  TileFacts facts;
  ReadLevers(config, facts);
  const std::int64_t bytes = FactsOf(shape.dtype).operand.bytes;
  const std::int64_t loads = facts.stages * (facts.block_m + facts.block_n) * facts.block_k * bytes;
  const std::int64_t tile_of_c = facts.block_m * facts.block_n * FactsOf(shape.dtype).result.bytes;
  if (!facts.descriptors)
    return loads;
  if (!facts.persistent)
    return std::max(loads, tile_of_c);
  const std::int64_t parts = std::max<std::int64_t>(1, config.IntOr("EPILOGUE_SPLIT", 1));
  return loads + tile_of_c / parts;
}

double EstimateRegisters(const Config& config) {
  TileFacts facts;
  ReadLevers(config, facts);
  const auto threads = static_cast<double>(kThreadsPerWarp * facts.multiplying_warps);
  const double accumulator = static_cast<double>(facts.block_m * facts.block_n) / threads;
  // What Triton 3.6 leaves beside the accumulator on sm_90: 26 with descriptors, to the register;
  // with pointers also two for each 16-byte load in flight, +-15.
  if (facts.descriptors)
    return accumulator + 26;
  const double loads =
      static_cast<double>((facts.block_m + facts.block_n) * facts.block_k) / (threads * 8);
  return accumulator + 24 + 2 * loads;
}

TileFacts FactsOf(const ShapeKey& shape, const DeviceFacts& device, const Config& config,
                  const BuiltResources* built) {
  TileFacts facts;
  ReadLevers(config, facts);
  facts.element_bytes = FactsOf(shape.dtype).operand.bytes;
  facts.result_bytes = FactsOf(shape.dtype).result.bytes;
  facts.matrix_unit = shape.dtype != DType::kF32;
  facts.tiles_m = CeilDiv(shape.m, facts.block_m);
  facts.tiles_n = CeilDiv(shape.n, facts.block_n);
  facts.tiles = facts.tiles_m * facts.tiles_n * facts.split_k;
  facts.steps = CeilDiv(CeilDiv(shape.k, facts.block_k), facts.split_k);
  const double registers = built != nullptr ? built->registers : EstimateRegisters(config);
  const std::int64_t shared =
      built != nullptr ? built->shared_bytes : EstimateSharedBytes(shape, config);
  // Above 255 registers each one more is 4 bytes in local memory.
  facts.spill_bytes = built != nullptr ? static_cast<double>(built->local_bytes)
                                       : 4 * std::max(0.0, registers - 255);
  facts.blocks_per_sm = BlocksPerSm(device, facts, registers, shared);
  if (facts.persistent) {
    facts.blocks_per_sm =
        static_cast<int>(std::min<std::int64_t>(facts.blocks_per_sm, facts.programs_per_sm));
  }
  return facts;
}

}  // namespace croq::search
