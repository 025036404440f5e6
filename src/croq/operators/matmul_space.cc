#include "croq/operators/matmul_space.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "croq/operators/constraints.h"

namespace croq::operators {
namespace {

constexpr std::int64_t kSkinnyRows = 32;   ///< BLOCK_M=16 is offered up to this M
constexpr std::int64_t kMostSkinnyRows = 128;  ///< `skinny` is offered up to this M
constexpr std::int64_t kMaxClusterBlocks = 2;

using Keep = std::function<bool(std::int64_t)>;

bool Always(std::int64_t) { return true; }

/// Collects a variant's levers from the contract.
class LeverList {
 public:
  LeverList(const contract::Contract& contract, int compute_capability)
      : contract_(contract), compute_capability_(compute_capability) {}

  /// The contract's values that `keep` lets through; the first of them where it keeps none.
  void Add(std::string_view name, const Keep& keep = Always) {
    const contract::LeverRule* rule = contract_.FindLever(name);
    if (rule == nullptr) return;
    Lever lever = rule->AsLever();
    if (lever.values.empty()) return;
    const LeverValue first = lever.values.front();
    if (rule->needs_compute_capability > compute_capability_) {
      lever.values = {first};
    } else {
      std::erase_if(lever.values, [&](const LeverValue& value) {
        const auto* number = std::get_if<std::int64_t>(&value);
        return number != nullptr && !keep(*number);
      });
      if (lever.values.empty()) lever.values = {first};
    }
    levers_.push_back(std::move(lever));
  }

  std::vector<Lever> Take() { return std::move(levers_); }

 private:
  const contract::Contract& contract_;
  int compute_capability_;
  std::vector<Lever> levers_;
};

/// No block beyond the power of two that covers the dimension.
Keep Covers(std::int64_t dimension, std::int64_t smallest) {
  const std::int64_t largest = std::max(smallest, NextPowerOfTwo(dimension));
  return [largest](std::int64_t block) { return block <= largest; };
}

Keep BlockM(std::int64_t m) {
  const Keep covers = Covers(m, kSkinnyRows / 2);
  return [covers, m](std::int64_t block) {
    return covers(block) && (block >= kSkinnyRows || m <= kSkinnyRows);
  };
}

/// Triton 3.6 gives neither descriptor loads nor cp.async an eviction policy (equal cubins), so the
/// levers move something only where half-precision elements are loaded one by one.
bool EvictionMatters(const ShapeKey& shape, std::int64_t inner) {
  return inner % kHint != 0 && FactsOf(shape.dtype).operand.bytes < 4;
}

std::vector<Lever> VariantLevers(const MatmulVariant& variant, const MatmulProblem& problem,
                                 const contract::Contract& contract) {
  const ShapeKey& shape = problem.shape;
  LeverList levers(contract, problem.device.compute_capability);
  levers.Add("BLOCK_M", BlockM(shape.m));
  levers.Add("BLOCK_N", Covers(shape.n, 32));
  levers.Add("BLOCK_K", Covers(shape.k, 32));
  levers.Add("GROUP_M");
  levers.Add("num_warps");
  levers.Add("num_stages");
  if (variant.skinny) return levers.Take();
  if (variant.split_k) {
    levers.Add("SPLIT_K");
    return levers.Take();
  }
  if (variant.stream_k) {
    levers.Add("EPILOGUE_SPLIT", [](std::int64_t parts) { return parts <= 2; });
    levers.Add("PROGRAMS_PER_SM");
    return levers.Take();
  }
  // Clusters of 2 compile for every variant; larger ones are left out: Triton promises no multicast
  // between the blocks, so they only make scheduling harder.
  // With descriptors even a cluster of 2 gives wrong numbers on some configurations (Triton 3.6).
  const std::int64_t most_parts = variant.Descriptors() ? 4 : 2;
  levers.Add("EPILOGUE_SPLIT", [most_parts](std::int64_t parts) { return parts <= most_parts; });
  if (!variant.Descriptors()) {
    levers.Add("num_ctas", [](std::int64_t blocks) { return blocks <= kMaxClusterBlocks; });
    if (EvictionMatters(shape, shape.k)) levers.Add("EVICT_A");
    if (EvictionMatters(shape, problem.b_is_nk() ? shape.k : shape.n)) levers.Add("EVICT_B");
  }
  if (variant.persistent) {
    levers.Add("FLATTEN");
    levers.Add("PROGRAMS_PER_SM");
  }
  // The Hopper pass fails on host descriptors and asserts on pointer loads.
  if (variant.device_descriptors && problem.tensor_cores()) levers.Add("WARP_SPECIALIZE");
  return levers.Take();
}

}  // namespace

SearchSpace MatmulSpace(const MatmulProblem& problem, const contract::Contract& contract) {
  const bool descriptors =
      problem.device.compute_capability >= 90 && AllowsDescriptors(problem.shape);
  SearchSpace space;
  for (const MatmulVariant& variant : kMatmulVariants) {
    if (variant.Descriptors() && !descriptors) continue;
    if (problem.block_scaled() && !variant.BlockScales()) continue;
    if (variant.skinny && (problem.shape.m > kMostSkinnyRows || !problem.tensor_cores())) continue;
    space.variants.push_back(
        {std::string(variant.name), VariantLevers(variant, problem, contract)});
  }
  space.reject = [problem](const Config& config) { return RejectMatmul(problem, config); };
  return space;
}

}  // namespace croq::operators
