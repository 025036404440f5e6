#include "croq/tune/brought/reference_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "croq/base/files.h"
#include "croq/tune/baseline_stage.h"
#include "croq/tune/events.h"
#include "croq/tune/iteration_writer.h"
#include "croq/tune/script_stage.h"

namespace croq::tune {
namespace {

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

ReferenceStage::ReferenceStage(Runner& runner, ReferenceRunner& reference, const BroughtFile& file,
                               std::filesystem::path work)
    : runner_(runner), reference_(reference), file_(file), work_(std::move(work)) {}

std::filesystem::path ReferenceStage::Inputs(int set) const {
  return work_ / fmt::format("inputs{}", set);
}

std::filesystem::path ReferenceStage::Outputs(int set) const {
  return work_ / fmt::format("references{}", set);
}

Status ReferenceStage::Start(int input_sets) {
  sets_ = std::min(kCheckedSets, std::max(1, input_sets));
  for (int set = 0; set < sets_; ++set) {
    CROQ_TRY(MakeDirectories(Inputs(set)));
    CROQ_TRY(MakeDirectories(Outputs(set)));
    CROQ_TRY(runner_.WriteInputs({set, Inputs(set).string()}));
  }
  running_ = std::async(std::launch::async, [this] { return RunAll(sets_); });
  return {};
}

Result<ReferenceBar> ReferenceStage::RunAll(int sets) const {
  ReferenceBar bar;
  for (int set = 0; set < sets; ++set) {
    CROQ_ASSIGN(const ReferenceRun run, reference_.Run(file_.path, *file_.problem, Inputs(set),
                                                       Outputs(set), set == 0));
    if (run.outcome != Outcome::kCorrect) {
      return UsageFailure(fmt::format("{}: the reference {} failed: {}", file_.path.string(),
                                      file_.problem->reference, run.reason));
    }
    if (set == 0) bar = {run.contract_ms, run.cold_ms, run.time_problem};
  }
  return bar;
}

Result<ReferenceBar> ReferenceStage::Finish() {
  CROQ_ASSIGN(ReferenceBar bar, running_.get());
  for (int set = 0; set < sets_; ++set) {
    CROQ_TRY(runner_.SetReferences({set, Outputs(set).string()}));
    std::error_code ignored;
    std::filesystem::remove_all(Inputs(set), ignored);
  }
  return bar;
}

Status ReferenceIteration::Build() {
  CROQ_ASSIGN(const std::optional<Iteration> stored,
              session_.journal.read().FindIteration(kBaselineNumber));
  if (stored) return {};
  Iteration iteration;
  CROQ_ASSIGN(const operators::Script script, session_.factory.BaselineScript());
  iteration.tag = script.tag;
  iteration.config = kReferenceConfig;
  iteration.idea = "baseline: the file's torch reference";
  CROQ_ASSIGN(iteration.number,
              BeginOrTakeUp(session_.journal, iteration.tag, iteration.config, 0));
  CROQ_ASSIGN(const RuleVerdict verdict,
              StageBaseline(session_, iteration.Name(), script, "the torch reference"));
  if (!verdict.accepted) {
    return UsageFailure(fmt::format("iter000 (the torch reference) breaks the purity rule: {}",
                                    verdict.reason));
  }
  iteration_ = std::move(iteration);
  return {};
}

Status ReferenceIteration::Finish(const std::optional<ReferenceBar>& bar) {
  if (!iteration_) return {};
  iteration_->predicted = !bar;
  if (bar) CROQ_TRY(RunReferenceScript(session_, *bar, *iteration_));
  iteration_->at_millis = UnixMillis();
  CROQ_TRY(session_.journal.CommitIteration(*iteration_));
  session_.observer.OnEvent("baseline", ToJson(*iteration_, session_.shape.op));
  return {};
}

}  // namespace croq::tune
