#include "croq/model/scaling.h"

namespace croq {
namespace {

ScaleGrid Grid(std::int64_t lines, std::int64_t depth, std::int64_t block_lines,
               std::int64_t block_depth) {
  return {block_lines, block_depth, (lines - 1) / block_lines + 1, (depth - 1) / block_depth + 1};
}

}  // namespace

std::optional<Scaling> ScalingOf(const ShapeKey& shape) {
  if (shape.op == Operator::kBrought || !FactsOf(shape.dtype).scaled) return std::nullopt;
  if (shape.op == Operator::kBlockscaleGemm) {
    return Scaling{Grid(shape.m, shape.k, 1, kScaleBlock), Grid(shape.n, shape.k, kScaleBlock, kScaleBlock)};
  }
  return Scaling{Grid(shape.m, shape.k, shape.m, shape.k), Grid(shape.n, shape.k, shape.n, shape.k)};
}

}  // namespace croq
