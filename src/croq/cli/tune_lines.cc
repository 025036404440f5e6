#include "croq/cli/tune_lines.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace croq::cli {
namespace {

using nlohmann::json;

double Number(const json& fields, const char* name) {
  const auto found = fields.find(name);
  return found != fields.end() && found->is_number() ? found->get<double>() : 0;
}

std::string Text(const json& fields, const char* name) {
  const auto found = fields.find(name);
  return found != fields.end() && found->is_string() ? found->get<std::string>() : "";
}

bool Truth(const json& fields, const char* name) {
  const auto found = fields.find(name);
  return found != fields.end() && found->is_boolean() && found->get<bool>();
}

std::string Interval(const json& fields, const char* name) {
  const auto found = fields.find(name);
  if (found == fields.end() || !found->is_object()) return "";
  // JSON has no infinity: an interval without an end has null there.
  const bool ends = found->contains("high") && found->at("high").is_number();
  return fmt::format("{:.3f} [{:.3f}, {}]", Number(*found, "value"), Number(*found, "low"),
                     ends ? fmt::format("{:.3f}", Number(*found, "high")) : "inf");
}

std::string FormatBaseline(const json& fields) {
  const std::string named = Text(fields, "config");
  const std::string what = named.empty() ? "torch.matmul" : named;
  if (Truth(fields, "predicted")) return fmt::format("iter000  {}  written (no GPU: not measured)", what);
  return fmt::format("iter000  {}  {:.1f} TFLOPS  {:.4f} ms (contract regime)", what,
                     Number(fields, "tflops_contract"), Number(fields, "time_ms_contract"));
}

std::string FormatIteration(const json& fields) {
  const bool predicted = Truth(fields, "predicted");
  // Without stated operations there is no rate.
  const double tflops = Number(fields, "tflops_contract");
  const std::string rate = tflops > 0 ? fmt::format("{:.1f} TFLOPS", tflops)
                                      : fmt::format("{:.4f} ms", Number(fields, "time_ms_contract"));
  std::string line = fmt::format("{}  {}{}", Text(fields, "iteration"), rate,
                                 predicted ? " predicted" : "");
  const std::string ratio = Interval(fields, "ratio_cublas");
  if (!ratio.empty()) line += fmt::format("  {} of cuBLAS", ratio);
  const std::string first = Interval(fields, "ratio_first");
  if (!first.empty()) line += fmt::format("  {} of the first configuration", first);
  if (fields.contains("not_checked")) line += "  " + Text(fields, "not_checked");
  const std::string heuristic = Interval(fields, "ratio_cublas_lt_best");
  if (!heuristic.empty()) line += fmt::format("  {} of cublasLt's best", heuristic);
  return line + "  " + Text(fields, "decision");
}

/// A verdict and what it rests on.
std::string FormatProfile(const json& fields) {
  const std::string level = Text(fields, "level");
  const std::string verdict =
      fmt::format("profile  {}{}, confidence {}", Text(fields, "bottleneck"),
                  level.empty() ? "" : " (" + level + ")", Text(fields, "confidence"));
  if (Truth(fields, "static")) {
    const std::string reason = Text(fields, "reason");
    return verdict + (reason.empty() ? "  static" : "  static: " + reason);
  }
  return fmt::format("{}  {}, {:.1f} s", verdict, Text(fields, "kernel"), Number(fields, "seconds"));
}

std::string FormatBars(const json& fields) {
  std::string line = fmt::format("cuBLAS   {:.1f} TFLOPS cold", Number(fields, "cublas_tflops_cold"));
  if (Number(fields, "cublas_lt_best_tflops_cold") > 0) {
    line += fmt::format(", cublasLt's best of {:.0f}: {:.1f}", Number(fields, "heuristics_tried"),
                        Number(fields, "cublas_lt_best_tflops_cold"));
  }
  return line + fmt::format("  ({})", Text(fields, "kernel"));
}

}  // namespace

std::string FormatEvent(const std::string& type, const json& fields) {
  if (type == "warning") return "warning: " + Text(fields, "message");
  if (type == "note") return Text(fields, "message");
  if (type == "bars") return FormatBars(fields);
  if (type == "baseline") return FormatBaseline(fields);
  if (type == "iteration") return FormatIteration(fields);
  if (type == "profile") return FormatProfile(fields);
  if (type == "idea") {
    return fmt::format("round {:.0f}: {} ({})", Number(fields, "round"), Text(fields, "idea"),
                       Text(fields, "evidence"));
  }
  if (type == "deeper_look") {
    return fmt::format("{:.0f} DISCARDs in a row: a deeper look", Number(fields, "discards"));
  }
  if (type == "attempt") {
    return fmt::format("{}  {}: {}", Text(fields, "attempt"), Text(fields, "outcome"),
                       Text(fields, "reason"));
  }
  return "";
}

}  // namespace croq::cli
