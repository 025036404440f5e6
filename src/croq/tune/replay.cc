#include "croq/tune/replay.h"

#include "croq/base/check.h"

namespace croq::tune {
namespace {

Error NoSuchThing(const char* what) {
  return Error{ErrorKind::kUsage, std::string("a recording holds no ") + what};
}

}  // namespace

Result<operators::Script> RecordedFactory::Render(const Config& config) const {
  return operators::Script{config.variant, {}};
}

/// The pipeline writes no file for it: its kernels are compiled from none.
Result<operators::Made> RecordedFactory::Make(const Config& config) const {
  return operators::Made{Outcome::kCorrect, "", {config.variant, {}}, "recording"};
}

std::vector<CompileJob> RecordedFactory::Jobs(const Config& config,
                                              const std::filesystem::path&) const {
  CompileJob job;
  job.kernel = config.Text();
  return {std::move(job)};
}

/// Configurations are never equal code here: each was recorded by itself.
LaunchPlan RecordedFactory::Plan(const Config& config, std::vector<CompiledKernel> kernels) const {
  LaunchPlan plan;
  plan.kernels = std::move(kernels);
  plan.buffers.push_back({config.Text(), 0, false});
  return plan;
}

Result<operators::Script> RecordedFactory::BaselineScript() const {
  return tl::unexpected(NoSuchThing("scripts"));
}

Result<operators::Twin> RecordedFactory::MakeTwin(const Config&) const {
  return tl::unexpected(NoSuchThing("scripts"));
}

Status ReplayBuilder::Submit(std::int64_t ticket, CompileJob job) {
  CROQ_ASSIGN(const Config config, ParseConfig(job.kernel));
  const RecordedTrial* trial = trials_.Find(config);
  CROQ_CHECK(trial != nullptr);
  queue_.push({clock_.Compile(trial->compile_ms), ticket, trial});
  return {};
}

Result<std::optional<BuildResult>> ReplayBuilder::Next(std::chrono::milliseconds) {
  if (queue_.empty()) return std::nullopt;
  const Job job = queue_.top();
  queue_.pop();
  clock_.WaitUntil(job.done_ms);
  BuildResult result;
  result.ticket = job.ticket;
  result.compile_ms = job.trial->compile_ms;
  // What failed behind the compiler is told by the evaluator.
  if (job.trial->outcome == Outcome::kCompile || job.trial->outcome == Outcome::kConstraints) {
    result.outcome = job.trial->outcome;
    result.reason = "as recorded";
  }
  return result;
}

Result<ScriptRun> ReplayScripts::Run(const std::filesystem::path&, double) {
  return tl::unexpected(NoSuchThing("scripts"));
}

Result<RuleVerdict> ReplayScripts::Check(const std::string&, const std::string&, int) {
  return tl::unexpected(NoSuchThing("scripts"));
}

Result<Evaluation> ReplayEvaluator::Screen(const Candidate& candidate, double) {
  const RecordedTrial* trial = trials_.Find(candidate.config);
  CROQ_CHECK(trial != nullptr);
  clock_.Measure(trial->measure_ms);
  Evaluation evaluation;
  evaluation.outcome = trial->outcome;
  evaluation.time_ms = trial->time_ms;
  if (trial->outcome != Outcome::kCorrect) evaluation.reason = "as recorded";
  return evaluation;
}

Result<std::optional<std::size_t>> ReplayEvaluator::Settle(const std::vector<Candidate>&,
                                                           std::vector<Rejected>&) {
  return tl::unexpected(NoSuchThing("duels"));
}

Result<Standing> ReplayEvaluator::Judge(const Candidate&, const Candidate*) {
  return tl::unexpected(NoSuchThing("duels"));
}

Result<ContractTiming> ReplayEvaluator::ContractTime(const Candidate&) {
  return tl::unexpected(NoSuchThing("times in the contract regime"));
}

}  // namespace croq::tune
