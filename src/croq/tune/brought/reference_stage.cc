#include "croq/tune/brought/reference_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/tune/baseline_stage.h"
#include "croq/tune/events.h"
#include "croq/tune/iteration_writer.h"
#include "croq/tune/script_stage.h"

namespace croq::tune {
namespace {

constexpr int kBaselineNumber = 0;
constexpr const char* kReferenceConfig = "torch reference";
// Finalists and iterations are checked on this many sets. Each costs a run of the reference and its
// files' way through the disk.
constexpr int kCheckedSets = 2;

Status RunReferenceScript(Session& session, const ReferenceBar& bar, Iteration& iteration) {
  const Result<ScriptStage> stage =
      RunTimingScript(session, kBaselineNumber, [&]() -> Result<ContractTiming> {
        return ContractTiming{Outcome::kCorrect, "", bar.contract_ms};
      });
  if (!stage) return tl::unexpected(stage.error());
  if (!stage->run.succeeded || !stage->output.timing) {
    return Failure(fmt::format("iter000 (the torch reference) failed: {}; see {}", stage->run.reason,
                               session.paths.TimingLog(kBaselineNumber).string()));
  }
  iteration.script_tflops = stage->output.timing->tflops;
  iteration.verified = stage->output.verdict && stage->output.verdict->passed;
  if (stage->output.verdict && !iteration.verified) {
    session.observer.OnEvent(
        "note", {{"message", fmt::format("the torch reference in the problem's own dtypes is off by "
                                         "{:.3g} from itself in float32, more than a kernel may be",
                                         stage->output.verdict->max_abs_err)}});
  }
  iteration.time_ms = bar.contract_ms > 0 ? bar.contract_ms : stage->output.timing->time_ms;
  iteration.tflops = Tflops(session.shape.Flops(), iteration.time_ms);
  iteration.cold_ms = bar.cold_ms;
  ReportAgreement(session, iteration.Name(), *stage);
  return {};
}

}  // namespace

Result<ReferenceBar> SetUpReferences(Runner& runner, ReferenceRunner& reference,
                                     const BroughtFile& file, int input_sets,
                                     const std::filesystem::path& work) {
  ReferenceBar bar;
  for (int set = 0; set < std::min(kCheckedSets, std::max(1, input_sets)); ++set) {
    const std::filesystem::path inputs = work / fmt::format("inputs{}", set);
    const std::filesystem::path outputs = work / fmt::format("references{}", set);
    CROQ_TRY(MakeDirectories(inputs));
    CROQ_TRY(MakeDirectories(outputs));
    CROQ_TRY(runner.WriteInputs({set, inputs.string()}));
    CROQ_ASSIGN(const ReferenceRun run,
                reference.Run(file.path, *file.problem, inputs, outputs, set == 0));
    if (run.outcome != Outcome::kCorrect) {
      return UsageFailure(fmt::format("{}: the reference {} failed: {}", file.path.string(),
                                      file.problem->reference, run.reason));
    }
    CROQ_TRY(runner.SetReferences({set, outputs.string()}));
    std::error_code ignored;
    std::filesystem::remove_all(inputs, ignored);
    if (set > 0) continue;
    bar = {run.contract_ms, run.cold_ms, run.time_problem};
  }
  return bar;
}

Status WriteReferenceIteration(Session& session, const ReferenceBar& bar, bool measured) {
  CROQ_ASSIGN(const std::optional<Iteration> stored,
              session.journal.read().FindIteration(kBaselineNumber));
  if (stored) return {};
  Iteration iteration;
  CROQ_ASSIGN(const operators::Script script, session.factory.BaselineScript());
  iteration.tag = script.tag;
  iteration.config = kReferenceConfig;
  iteration.idea = "baseline: the file's torch reference";
  iteration.predicted = !measured;
  CROQ_ASSIGN(iteration.number, BeginOrTakeUp(session.journal, iteration.tag, iteration.config, 0));
  CROQ_ASSIGN(const RuleVerdict verdict,
              StageBaseline(session, iteration.Name(), script, "the torch reference"));
  if (!verdict.accepted) {
    return UsageFailure(fmt::format("iter000 (the torch reference) breaks the purity rule: {}",
                                    verdict.reason));
  }
  if (measured) CROQ_TRY(RunReferenceScript(session, bar, iteration));
  iteration.at_millis = UnixMillis();
  CROQ_TRY(session.journal.CommitIteration(iteration));
  session.observer.OnEvent("baseline", ToJson(iteration, session.shape.op));
  return {};
}

}  // namespace croq::tune
