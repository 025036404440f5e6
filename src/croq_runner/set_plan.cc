#include "croq_runner/set_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

Result<SetPlan> PlanSets(const ShapeKey& shape, std::int64_t l2_bytes, std::int64_t free_bytes) {
  // In doubles: 2^31 * 2^31 * 4 does not fit 64 bits.
  const double element = FactsOf(shape.dtype).bytes;
  const auto m = static_cast<double>(shape.m);
  const auto n = static_cast<double>(shape.n);
  const auto k = static_cast<double>(shape.k);
  const double per_set = element * (m * k + k * n + m * n);
  const double besides = kReferenceBytes * m * n + kReserve;
  const auto free = static_cast<double>(free_bytes);
  const double needed = kMinSetsShort * per_set + besides;
  if (needed > free) {
    return Failure(fmt::format(
        "{} needs {:.2f} GiB of device memory (two sets of A, B and C of {:.2f} GiB each, and "
        "{:.2f} GiB for a reference and workspaces) and {:.2f} GiB are free: choose a smaller "
        "shape or free the device",
        shape.text, Gib(needed), Gib(per_set), Gib(besides), Gib(free)));
  }
  const double fit = std::floor((free - besides) / per_set);
  const double beyond_l2 = std::floor(2.0 * static_cast<double>(l2_bytes) / per_set) + 1;
  const double wanted = std::clamp(beyond_l2, double{kMinSets}, double{kMaxSets});
  SetPlan plan;
  const auto bytes = static_cast<std::int64_t>(element);
  plan.a_bytes = shape.m * shape.k * bytes;
  plan.b_bytes = shape.k * shape.n * bytes;
  plan.c_bytes = shape.m * shape.n * bytes;
  plan.sets = static_cast<int>(std::min(wanted, fit));
  return plan;
}

}  // namespace croq::runner
