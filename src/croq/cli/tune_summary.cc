#include "croq/cli/tune_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "croq/cli/brought_text.h"
#include "croq/cli/output.h"
#include "croq/contract/scripts.h"
#include "croq/journal/reader.h"
#include "croq/tune/events.h"

namespace croq::cli {
namespace {

double TrialRate(const tune::RunSummary& summary) {
  return summary.wall_seconds > 0 ? static_cast<double>(summary.trials) / summary.wall_seconds : 0;
}

std::string Rate(const Iteration& best) {
  if (best.predicted) {
    return fmt::format("{:.1f} TFLOPS predicted ({:.4f} ms), nothing was measured", best.tflops,
                       best.time_ms);
  }
  return fmt::format("{:.1f} TFLOPS, {:.4f} ms (contract regime)", best.tflops, best.time_ms);
}

void AddBest(TextTable& table, const TuneSetup& setup, const ShapeKey& shape,
             const SessionPaths& paths, const Iteration& best, const nlohmann::json& figures) {
  const std::filesystem::path file = paths.Source(best.Name());
  table.AddRow({"best", best.Name()});
  const bool brought = shape.op == Operator::kBrought;
  table.AddRow({"config", best.config});
  table.AddRow({"rate", brought ? BroughtRate(best, figures) : Rate(best)});
  if (!figures.is_null()) AddSpeedUps(table, figures, best.predicted);
  if (best.ratio > 0 && !brought) {
    table.AddRow({"cuBLAS", fmt::format("{:.3f} of {} [{:.3f}, {:.3f}] (99%, interleaved pairs, "
                                        "cold)", best.ratio, shape.LibraryCall(), best.ratio_low,
                                        best.ratio_high)});
  }
  table.AddRow({"file", file.string()});
  table.AddRow({"run it", fmt::format("{} {}", setup.interpreter.path.string(),
                                      contract::ShellQuote(file.string()))});
}

}  // namespace

std::string FormatSummary(const TuneSetup& setup, const ShapeKey& shape, const SessionPaths& paths,
                          const tune::RunSummary& summary, const nlohmann::json& figures) {
  TextTable table;
  if (summary.best) {
    AddBest(table, setup, shape, paths, *summary.best, figures);
  } else {
    table.AddRow({"best", "no verified kernel was found"});
  }
  // Without a GPU a trial is a build; only the winner's numbers are looked at.
  const char* passed = setup.device.measured ? "correct" : "built";
  table.AddRow({"search", fmt::format("{} trials ({} {}) in {:.1f} s, {:.1f} a second; ended by: {}",
                                      summary.trials, summary.correct_trials, passed,
                                      summary.wall_seconds, TrialRate(summary),
                                      summary.ended_by)});
  table.AddRow({"more", fmt::format("croq show {}", journal::SessionName(paths))});
  return fmt::format("\n{} on {}{}\n{}", shape.text, setup.device.name,
                     setup.device.measured ? "" : " (no GPU: every figure is predicted)",
                     table.Render(2));
}

nlohmann::json AccountJson(const tune::ScreenAccount& account) {
  return {{"propose", account.propose},          {"wait", account.wait},
          {"judge", account.judge},              {"record", account.record},
          {"wall", account.wall},                {"compile", account.compile},
          {"load", account.load},                {"check", account.check},
          {"time", account.time},                {"built", account.built},
          {"judged", account.judged},            {"shared", account.shared}};
}

nlohmann::json SummaryJson(const TuneSetup& setup, const ShapeKey& shape, const SessionPaths& paths,
                           const tune::RunSummary& summary) {
  nlohmann::json json{{"ended_by", summary.ended_by},
                      {"trials", summary.trials},
                      {"correct", summary.correct_trials},
                      {"trials_per_second", TrialRate(summary)},
                      {"screening_seconds", summary.screening_seconds},
                      {"account", AccountJson(summary.account)},
                      {"workers", setup.workers},
                      {"wall_seconds", summary.wall_seconds},
                      {"runner_restarts", setup.runner ? setup.runner->Restarts() : 0},
                      {"best", nullptr}};
  if (summary.best) {
    json["best"] = tune::ToJson(*summary.best, shape.op);
    json["script"] = paths.Source(summary.best->Name()).string();
  }
  return json;
}

}  // namespace croq::cli
