#include "croq/tune/baseline_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/tune/events.h"
#include "croq/tune/iteration_writer.h"
#include "croq/tune/script_stage.h"

namespace croq::tune {
namespace {

Result<double> TimeLibrary(Runner& runner, Regime regime) {
  TimeRequest request;
  request.subject = DuelReference::kCublas;
  request.regime = regime;
  CROQ_ASSIGN(const TimeReply reply, runner.Time(request));
  if (reply.outcome != Outcome::kCorrect) {
    return Failure(fmt::format("timing cuBLAS failed: {}", reply.reason));
  }
  return reply.timing.median_ms;
}

/// The library must be called as torch calls it: the same kernel, or the ratio is against another
/// bar than the one the contract names.
void CompareKernels(Session& session, const ScriptStage& stage, const Baseline& bars) {
  const std::vector<std::string>& kernels = stage.output.kernels;
  if (kernels.empty() || kernels.front() == "unknown" || bars.kernel.empty()) return;
  if (std::find(kernels.begin(), kernels.end(), bars.kernel) != kernels.end()) return;
  session.observer.OnEvent(
      "warning", {{"message", fmt::format("iter000 launches {} and croq's call of the same library "
                                          "{}: ratios are against the latter",
                                          fmt::join(kernels, ", "), bars.kernel)}});
}

Status RunOnDevice(Session& session, Runner& runner, const Baseline& bars, Iteration& iteration) {
  CROQ_ASSIGN(const ScriptStage stage,
              RunTimingScript(session, kBaselineNumber,
                              [&] {
                                return TimeLibrary(runner, Regime::kContract).map([](double ms) {
                                  return ContractTiming{Outcome::kCorrect, "", ms};
                                });
                              }));
  if (!stage.run.succeeded || !stage.output.timing) {
    return Failure(fmt::format("iter000 ({}) failed: {}; see {}", session.shape.LibraryCall(),
                               stage.run.reason,
                               session.paths.TimingLog(kBaselineNumber).string()));
  }
  iteration.script_tflops = stage.output.timing->tflops;
  iteration.verified = stage.output.verdict && stage.output.verdict->passed;
  // Dequantising is a part of the script and not of the bar.
  const bool same_work = session.shape.op != Operator::kBlockscaleGemm;
  iteration.time_ms =
      same_work ? (stage.before_ms + stage.after_ms) / 2 : stage.output.timing->time_ms;
  iteration.tflops = Tflops(session.shape.Flops(), iteration.time_ms);
  iteration.cold_ms = bars.cold_ms;
  if (same_work) {
    ReportAgreement(session, iteration.Name(), stage);
    CompareKernels(session, stage, bars);
  } else {
    session.observer.OnEvent(
        "note", {{"message", "ratios are to cuBLAS's f16 product of operands that were dequantised "
                             "beforehand; iter000 dequantises in each call"}});
  }
  return {};
}

}  // namespace

Result<Baseline> MeasureBars(Runner& runner, const PrepareReply& prepared) {
  Baseline bars;
  bars.problem = prepared.baseline_problem;
  bars.kernel = prepared.baseline_kernel;
  if (!bars.problem.empty()) return bars;
  // The heuristics first: they warm the chip, and a cold one's first figures are 10% too good.
  CROQ_ASSIGN(const HeuristicsReply heuristics, runner.FindHeuristics(HeuristicsRequest{}));
  if (heuristics.problem.empty()) {
    bars.heuristic_ms = heuristics.best_ms;
    bars.heuristic = heuristics.best;
    bars.heuristics_tried = heuristics.tried;
  }
  CROQ_ASSIGN(bars.cold_ms, TimeLibrary(runner, Regime::kCold));
  CROQ_ASSIGN(bars.contract_ms, TimeLibrary(runner, Regime::kContract));
  return bars;
}

Result<RuleVerdict> StageBaseline(Session& session, const std::string& name,
                                  const operators::Script& script, const std::string& what) {
  CROQ_TRY(WriteCommands(session, kBaselineNumber, script.tag));
  const std::filesystem::path path = session.paths.Source(name);
  CROQ_TRY(WriteFileAtomic(path, script.source));
  CROQ_ASSIGN(RuleVerdict verdict,
              session.rules.Check(path.string(), script.source, kBaselineNumber));
  if (!verdict.accepted) return verdict;
  CROQ_ASSIGN(const ScriptRun build, RunBuildScript(session, kBaselineNumber));
  if (build.succeeded) return verdict;
  return Failure(fmt::format("iter000 ({}) does not build: {}; see {}", what, build.reason,
                             session.paths.BuildLog(kBaselineNumber).string()));
}

Status WriteBaseline(Session& session, Runner* runner, const Baseline& bars, bool again) {
  CROQ_ASSIGN(const std::optional<Iteration> stored,
              session.journal.read().FindIteration(kBaselineNumber));
  if (stored && !again) return {};
  Iteration iteration;
  CROQ_ASSIGN(const operators::Script script, session.factory.BaselineScript());
  iteration.tag = script.tag;
  iteration.config = session.shape.LibraryCall();
  iteration.idea = "baseline: " + iteration.config;
  iteration.predicted = session.evaluator.Predicted();
  if (!stored) {
    CROQ_ASSIGN(iteration.number, BeginOrTakeUp(session.journal, iteration.tag, iteration.config, 0));
  }
  CROQ_ASSIGN(const RuleVerdict verdict,
              StageBaseline(session, iteration.Name(), script, iteration.config));
  if (!verdict.accepted)
    return Failure(fmt::format("iter000 breaks the purity rule: {}", verdict.reason));
  if (runner != nullptr && bars.problem.empty()) {
    CROQ_TRY(RunOnDevice(session, *runner, bars, iteration));
  }
  iteration.at_millis = UnixMillis();
  if (!stored) CROQ_TRY(session.journal.CommitIteration(iteration));
  session.observer.OnEvent("baseline", ToJson(iteration, session.shape.op));
  return {};
}

}  // namespace croq::tune
