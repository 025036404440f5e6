#include "croq/cli/session_text.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "croq/base/clock.h"
#include "croq/cli/brought_text.h"
#include "croq/cli/output.h"
#include "croq/contract/scripts.h"
#include "croq/journal/reader.h"
#include "croq/tune/events.h"

namespace croq::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A path is copied from the screen, so its line is never broken.
constexpr std::size_t kUnbroken = 10000;
constexpr std::size_t kWide = 160;

std::string Count(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// What costs a search nothing, beside what it built.
std::string Rejected(std::int64_t count) {
  return count == 0 ? "" : fmt::format(" ({} more rejected before they were built)", count);
}

std::string Millis(double ms) { return ms > 0 ? fmt::format("{:.4f}", ms) : "-"; }

json Finite(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

/// The files of an iteration that exist, each with what it is.
std::vector<std::pair<std::string, fs::path>> FilesOf(const SessionPaths& paths,
                                                      const Iteration& iteration) {
  const int number = iteration.number;
  const std::string ncu = "ncu_" + IterationName(number);
  const std::pair<std::string, fs::path> all[] = {
      {"script", paths.Source(iteration.Name())},
      {"build", paths.BuildScript(number)},
      {"run", paths.RunScript(number)},
      {"profile", paths.ProfileScript(number)},
      {"build_log", paths.BuildLog(number)},
      {"timing_log", paths.TimingLog(number)},
      {"ncu_report", paths.Performance() / (ncu + ".ncu-rep")},
      {"ncu_csv", paths.Performance() / (ncu + ".csv")},
  };
  std::vector<std::pair<std::string, fs::path>> found;
  for (const auto& [what, path] : all) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) found.emplace_back(what, path);
  }
  return found;
}

/// What the last run of a brought file's session found its best to be worth.
json FiguresOf(const SessionView& view) {
  for (const journal::FactRecord& fact : view.facts) {
    if (fact.key == "figures") return json::parse(fact.value, nullptr, false);
  }
  return json::object();
}

std::string FormatHead(const SessionView& view) {
  const journal::SessionSummary& summary = view.summary;
  const journal::Environment& with = summary.info.environment;
  TextTable table;
  table.AddRow({"device", fmt::format("{}{}", with.gpu.empty() ? summary.info.gpu_key : with.gpu,
                                      summary.info.offline
                                          ? "; no GPU was used: every figure is predicted" : "")});
  table.AddRow({"versions", fmt::format("croq {}, Triton {}, torch {}, Python {}, driver {}",
                                        with.croq, with.triton,
                                        with.torch.empty() ? "none" : with.torch, with.python,
                                        with.driver.empty() ? "none" : with.driver)});
  table.AddRow({"made", FormatWhen(summary.info.created_millis)});
  table.AddRow({"last change", FormatWhen(summary.last_millis)});
  table.AddRow({"contents", fmt::format("{}{}, {}, {}", Count(summary.trials - summary.rejected, "trial"),
                                        Rejected(summary.rejected),
                                        Count(summary.iterations, "iteration"),
                                        Count(summary.attempts, "attempt"))});
  if (!summary.best) {
    table.AddRow({"best", "no verified kernel yet"});
    return table.Render(2);
  }
  table.AddRow({"best", fmt::format("{}, {}", summary.best->Name(), FormatRate(*summary.best))});
  if (OperatorOf(view.paths) == Operator::kBrought) {
    const json figures = FiguresOf(view);
    table.AddRow({"rate", BroughtRate(*summary.best, figures)});
    AddSpeedUps(table, figures, summary.info.offline);
  } else if (summary.best->ratio > 0) {
    table.AddRow({"cuBLAS", fmt::format("{} of {} (99%, interleaved pairs, cold)",
                                        FormatShare(*summary.best), LibraryCallOf(view.paths))});
  }
  return table.Render(2);
}

std::string FormatIterations(const std::vector<Iteration>& iterations, Operator op, bool offline) {
  const std::string regime = offline ? "(predicted)" : "(contract)";
  TextTable table(kWide);
  table.AddRow({"iteration", "TFLOPS " + regime, "ms " + regime, "ms (cold)", "of " + BarName(op) + " (cold)",
                "decision", "bottleneck", "idea"});
  for (const Iteration& one : iterations) {
    // In a session with both, the odd one out says so itself.
    const char* mark = one.predicted && !offline ? " predicted" : "";
    table.AddRow({one.Name(), fmt::format("{:.1f}{}", one.tflops, mark), Millis(one.time_ms),
                  one.predicted ? "-" : Millis(one.cold_ms), FormatShare(one),
                  one.decision == Decision::kNone ? "-" : std::string(NameOf(one.decision)),
                  one.bottleneck.empty() ? "-" : one.bottleneck, one.idea});
  }
  return table.Render(2);
}

std::string FormatAttempts(const std::vector<Attempt>& attempts) {
  TextTable table(kWide);
  for (const Attempt& one : attempts) {
    table.AddRow({one.Name(), std::string(NameOf(one.outcome)),
                  one.log.empty() ? one.reason : fmt::format("{} (log: {})", one.reason, one.log)});
  }
  return table.Render(2);
}

std::string FormatTrials(const std::vector<Trial>& trials) {
  TextTable table(kWide);
  for (const Trial& one : trials) {
    const std::string time = one.outcome != Outcome::kCorrect
                                 ? "-"
                                 : fmt::format("{} ms ({})", Millis(one.time_ms),
                                               one.predicted ? "predicted" : "cold");
    table.AddRow({fmt::format("{}", one.id), std::string(NameOf(one.outcome)), time,
                  one.reason.empty() ? one.config.Text()
                                     : fmt::format("{}: {}", one.config.Text(), one.reason)});
  }
  return table.Render(2);
}

std::string FormatFacts(const std::vector<journal::FactRecord>& facts) {
  TextTable table;
  for (const journal::FactRecord& fact : facts) table.AddRow({fact.key, fact.value});
  return table.Render(2);
}

std::string FormatFolders(const SessionPaths& paths) {
  TextTable table(kUnbroken);
  table.AddRow({"scripts", paths.Sources().string()});
  table.AddRow({"commands", paths.Commands().string()});
  table.AddRow({"measurements", paths.Performance().string()});
  table.AddRow({"logs", paths.Logs().string()});
  return table.Render(2);
}

std::string FormatTimes(const Iteration& one) {
  if (one.predicted) return fmt::format("{} ms (predicted)", Millis(one.time_ms));
  return fmt::format("{} ms (contract), {} ms (cold median)", Millis(one.time_ms),
                     Millis(one.cold_ms));
}

void AddFigures(TextTable& table, const Iteration& one, const SessionPaths& paths) {
  table.AddRow({"rate", FormatRate(one)});
  table.AddRow({"time", FormatTimes(one)});
  if (one.ratio > 0) {
    const bool brought = OperatorOf(paths) == Operator::kBrought;
    table.AddRow({brought ? "speed-up" : "cuBLAS",
                  fmt::format("{} of {} (99%, interleaved pairs, cold)", FormatShare(one),
                              brought ? "the file's own first configuration" : LibraryCallOf(paths))});
  }
  if (one.best_ratio > 0) {
    table.AddRow({"best before", fmt::format("{:.3f} of its speed (cold)", one.best_ratio)});
  }
  if (one.script_tflops > 0) {
    table.AddRow({"script says", fmt::format("{:.1f} TFLOPS (contract)", one.script_tflops)});
  }
  table.AddRow({"check", fmt::format("{}, max_abs_err {:.3g}",
                                     one.verified ? "passed" : "not passed", one.max_abs_err)});
  if (one.build.registers > 0) {
    table.AddRow({"cubin", fmt::format("{} registers, {} bytes of local memory, {} shared, "
                                       "compiled in {:.0f} ms", one.build.registers,
                                       one.build.local_bytes,
                                       FormatBytes(static_cast<double>(one.build.shared_bytes)),
                                       one.build.compile_ms)});
  }
}

}  // namespace

std::string FormatRate(const Iteration& iteration) {
  return fmt::format("{:.1f} TFLOPS ({})", iteration.tflops,
                     iteration.predicted ? "predicted" : "contract");
}

std::string FormatShare(const Iteration& iteration) {
  if (!(iteration.ratio > 0)) return "-";
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", iteration.ratio, iteration.ratio_low,
                     iteration.ratio_high);
}

std::string FormatWhen(std::int64_t unix_millis) {
  std::string text = FormatUtc(unix_millis).substr(0, 19);
  text[10] = ' ';
  return text + " UTC";
}

std::string FormatSession(const SessionView& view) {
  std::string text = journal::SessionName(view.paths) + "\n" + FormatHead(view);
  if (!view.iterations.empty()) {
    text += "\nIterations\n" + FormatIterations(view.iterations, OperatorOf(view.paths),
                                               view.summary.info.offline);
  }
  if (!view.attempts.empty()) text += "\nAttempts\n" + FormatAttempts(view.attempts);
  if (!view.last_trials.empty()) text += "\nLast trials\n" + FormatTrials(view.last_trials);
  if (!view.facts.empty()) text += "\nFacts\n" + FormatFacts(view.facts);
  return text + "\nFiles\n" + FormatFolders(view.paths);
}

json SessionJson(const SessionView& view) {
  const journal::SessionSummary& summary = view.summary;
  json whole{{"session", journal::SessionName(view.paths)},
             {"gpu", summary.info.gpu_key},
             {"dsl", summary.info.dsl},
             {"shape_key", summary.info.shape_key},
             {"model", summary.info.model},
             {"predicted", summary.info.offline},
             {"seed", summary.info.seed},
             {"created", FormatUtc(summary.info.created_millis)},
             {"last_change", FormatUtc(summary.last_millis)},
             {"environment", json::parse(journal::ToJsonText(summary.info.environment))},
             {"trials", summary.trials - summary.rejected},
             {"rejected", summary.rejected},
             {"best", summary.best ? json(summary.best->Name()) : json(nullptr)},
             {"iterations", json::array()},
             {"attempts", json::array()},
             {"last_trials", json::array()},
             {"facts", json::object()},
             {"folders", {{"scripts", view.paths.Sources().string()},
                          {"commands", view.paths.Commands().string()},
                          {"measurements", view.paths.Performance().string()},
                          {"logs", view.paths.Logs().string()}}}};
  for (const Iteration& one : view.iterations) {
    whole["iterations"].push_back(IterationJson(view.paths, one));
  }
  for (const Attempt& one : view.attempts) whole["attempts"].push_back(tune::ToJson(one));
  for (const Trial& one : view.last_trials) {
    whole["last_trials"].push_back({{"id", one.id},
                                    {"round", one.round},
                                    {"config", one.config.Text()},
                                    {"outcome", NameOf(one.outcome)},
                                    {"reason", one.reason},
                                    {one.predicted ? "time_ms_predicted" : "time_ms_cold",
                                     Finite(one.time_ms)},
                                    {"predicted", one.predicted}});
  }
  for (const journal::FactRecord& fact : view.facts) {
    whole["facts"][fact.key] = json::parse(fact.value, nullptr, false);
  }
  return whole;
}

std::string FormatIteration(const SessionPaths& paths, const Iteration& iteration) {
  TextTable table;
  table.AddRow({"session", journal::SessionName(paths)});
  table.AddRow({"config", iteration.config});
  AddFigures(table, iteration, paths);
  if (iteration.decision != Decision::kNone) {
    table.AddRow({"decision", std::string(NameOf(iteration.decision))});
  }
  if (!iteration.bottleneck.empty()) table.AddRow({"bottleneck", iteration.bottleneck});
  if (!iteration.idea.empty()) table.AddRow({"idea", iteration.idea});
  table.AddRow({"stored", FormatWhen(iteration.at_millis)});
  std::string text = fmt::format("{}{}\n{}\nFiles\n", iteration.Name(),
                                 iteration.predicted ? " (predicted: no GPU has run it)" : "",
                                 table.Render(2));
  TextTable files(kUnbroken);
  for (const auto& [what, path] : FilesOf(paths, iteration)) files.AddRow({what, path.string()});
  const std::string script = contract::ShellQuote(paths.Source(iteration.Name()).string());
  const std::string run = contract::ShellQuote(paths.RunScript(iteration.number).string());
  return text + files.Render(2) + fmt::format("\nRun it\n  python3 {}\n  bash {}\n", script, run);
}

json IterationJson(const SessionPaths& paths, const Iteration& iteration) {
  json whole = tune::ToJson(iteration, OperatorOf(paths));
  whole["bottleneck"] = iteration.bottleneck;
  whole["cubin"] = iteration.build.cubin_fingerprint;
  whole["at"] = FormatUtc(iteration.at_millis);
  whole["files"] = json::object();
  for (const auto& [what, path] : FilesOf(paths, iteration)) whole["files"][what] = path.string();
  return whole;
}

}  // namespace croq::cli
