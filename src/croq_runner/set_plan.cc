#include "croq_runner/set_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "croq/model/scaling.h"

namespace croq::runner {
namespace {

constexpr int kMinSets = 3;
constexpr int kMinSetsShort = 2;  ///< where memory is short
constexpr int kMaxSets = 1024;
constexpr double kReferenceBytes = 12;  ///< an element of C: a double and a float
/// For the workspace of cuBLAS, a plan's scratch and what the driver takes as it goes.
constexpr double kReserve = 256.0 * 1024 * 1024;

double Gib(double bytes) { return bytes / (1024.0 * 1024.0 * 1024.0); }

}  // namespace

Result<int> CountSets(std::string_view name, const MemoryNeed& need, std::int64_t l2_bytes,
                      std::int64_t free_bytes) {
  const auto free = static_cast<double>(free_bytes);
  double besides = need.besides + kReserve;
  const double needed = kMinSetsShort * need.a_set + besides;
  if (needed > free) {
    return Failure(fmt::format(
        "{} needs {:.2f} GiB of device memory (two sets of its tensors of {:.2f} GiB each, and "
        "{:.2f} GiB for a reference and workspaces) and {:.2f} GiB are free: choose a smaller "
        "shape or free the device",
        name, Gib(needed), Gib(need.a_set), Gib(besides), Gib(free)));
  }
  if (kMinSets * need.a_set + besides + need.more_if_free <= free)
    besides += need.more_if_free;
  // An empty problem still has a set.
  const double a_set = std::max(need.a_set, 1.0);
  const double fit = std::floor((free - besides) / a_set);
  const double beyond_l2 = std::floor(2.0 * static_cast<double>(l2_bytes) / a_set) + 1;
  const double wanted = std::clamp(beyond_l2, double{kMinSets}, double{kMaxSets});
  return static_cast<int>(std::min(wanted, fit));
}

Result<SetPlan> PlanSets(const ShapeKey& shape, std::int64_t l2_bytes, std::int64_t free_bytes) {
  // In doubles: 2^31 * 2^31 * 4 does not fit 64 bits.
  const double operand = FactsOf(shape.dtype).operand.bytes;
  const double result = FactsOf(shape.dtype).result.bytes;
  // Of A and B in float16, for the bar.
  const double copies = shape.op == Operator::kBlockscaleGemm ? 2 : 0;
  const std::optional<Scaling> scaling = ScalingOf(shape);
  const auto m = static_cast<double>(shape.m);
  const auto n = static_cast<double>(shape.n);
  const auto k = static_cast<double>(shape.k);
  MemoryNeed need;
  need.a_set = (operand + copies) * (m * k + k * n) + result * m * n;
  if (scaling) need.a_set += static_cast<double>(scaling->a.Bytes() + scaling->b.Bytes());
  need.besides = kReferenceBytes * m * n;
  SetPlan plan;
  CROQ_ASSIGN(plan.sets, CountSets(shape.text, need, l2_bytes, free_bytes));
  plan.a_bytes = shape.m * shape.k * FactsOf(shape.dtype).operand.bytes;
  plan.b_bytes = shape.k * shape.n * FactsOf(shape.dtype).operand.bytes;
  plan.c_bytes = shape.m * shape.n * FactsOf(shape.dtype).result.bytes;
  return plan;
}

}  // namespace croq::runner
