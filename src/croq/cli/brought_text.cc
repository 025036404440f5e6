#include "croq/cli/brought_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace croq::cli {

Operator OperatorOf(const SessionPaths& paths) {
  const Result<ShapeKey> key = ParseAnyShapeKey(paths.shape_key);
  return key ? key->op : Operator::kMatmul;
}

std::string LibraryCallOf(const SessionPaths& paths) {
  return std::string(ParseAnyShapeKey(paths.shape_key).value_or(ShapeKey{}).LibraryCall());
}

std::string BarName(Operator op) {
  return op == Operator::kBrought ? "the first configuration" : "cuBLAS";
}

std::string BroughtRate(const Iteration& best, const nlohmann::json& figures) {
  std::string rate;
  if (figures.contains("gbps")) {
    rate = fmt::format("{:.0f} GB/s", figures.at("gbps").get<double>());
    if (figures.contains("copy_share")) {
      rate += fmt::format(" ({:.1f}% of the copy bandwidth measured in this run, {:.0f} GB/s)",
                          100 * figures.at("copy_share").get<double>(),
                          figures.at("copy_gbps").get<double>());
    }
    rate += ", ";
  }
  if (figures.contains("tflops")) rate += fmt::format("{:.1f} TFLOPS, ", best.tflops);
  return rate + fmt::format("{:.4f} ms ({})", best.time_ms,
                            best.predicted ? "predicted, nothing was measured" : "contract regime");
}

void AddSpeedUps(TextTable& table, const nlohmann::json& figures, bool predicted) {
  if (figures.contains("speedup_first")) {
    const nlohmann::json& first = figures.at("speedup_first");
    const auto number = [&](const char* name) {
      return first.at(name).is_number() ? first.at(name).get<double>() : 0.0;
    };
    const std::string how = predicted
                                ? std::string(" (predicted)")
                                : fmt::format(" [{:.3f}, {:.3f}] (99%, interleaved pairs, cold)",
                                              number("low"), number("high"));
    table.AddRow({"speed-up", fmt::format("{:.3f} of the file's own first configuration{}",
                                          number("value"), how)});
  }
  if (figures.contains("speedup_torch")) {
    table.AddRow({"torch", fmt::format("{:.2f} times as fast as the file's torch reference, {:.4f} ms "
                                       "in its own process (contract regime)",
                                       figures.at("speedup_torch").get<double>(),
                                       figures.at("torch_ms").get<double>())});
  }
}

}  // namespace croq::cli
