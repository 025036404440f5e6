#include "croq/cli/record_space.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace croq::cli {
namespace {

/// A swizzle needs rows of tiles to walk.
constexpr std::int64_t kSwizzledRows = 1024;

using KeptValues = std::map<std::string, std::vector<std::int64_t>>;

KeptValues KeptValuesFor(const ShapeKey& shape) {
  return {{"BLOCK_M", {16, 64, 128, 256}},
          {"BLOCK_N", {64, 128, 256}},
          {"BLOCK_K", {32, 64, 128}},
          {"GROUP_M", {shape.m < kSwizzledRows ? 1 : 8}},
          {"num_warps", {4, 8}},
          {"num_stages", {3, 4, 5}},
          {"EPILOGUE_SPLIT", {1, 2}},
          {"FLATTEN", {0, 1}},
          {"PROGRAMS_PER_SM", {1, 2}},
          {"WARP_SPECIALIZE", {0, 1}},
          {"SPLIT_K", {2, 4, 8}}};
}

void Keep(const KeptValues& kept, Lever& lever) {
  const auto rule = kept.find(lever.name);
  std::vector<LeverValue> values;
  if (rule != kept.end()) {
    for (const LeverValue& value : lever.values) {
      const auto* number = std::get_if<std::int64_t>(&value);
      if (number != nullptr && std::ranges::count(rule->second, *number) > 0)
        values.push_back(value);
    }
  }
  if (values.empty()) values.push_back(lever.values.front());
  lever.values = std::move(values);
}

}  // namespace

SearchSpace RecordedPart(SearchSpace space, const ShapeKey& shape) {
  const KeptValues kept = KeptValuesFor(shape);
  for (VariantSpace& variant : space.variants) {
    for (Lever& lever : variant.levers) Keep(kept, lever);
  }
  return space;
}

}  // namespace croq::cli
