#include "croq/tune/iteration_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/contract/scripts.h"
#include "croq/tune/events.h"
#include "croq/tune/script_stage.h"

namespace croq::tune {
namespace {

journal::Idea MakeIdea(const Iteration& iteration, const Origin& origin, const Standing& standing,
                       bool had_best) {
  journal::Idea idea;
  idea.evidence = origin.evidence;
  idea.idea = origin.idea;
  idea.round = iteration.round;
  idea.expected = !origin.expected.empty() ? origin.expected
                  : had_best               ? "faster than the best so far"
                                           : "a first correct kernel";
  idea.actual = standing.of_best.known()
                    ? fmt::format("{:.3f} times as fast as the best before it [{:.3f}, {:.3f}]",
                                  standing.of_best.value, standing.of_best.low,
                                  standing.of_best.high)
                    : fmt::format("{:.1f} TFLOPS", iteration.tflops);
  if (iteration.predicted) idea.actual += " (predicted)";
  return idea;
}

/// Whom an iteration's ratio is of: the library, or a brought file's first configuration.
const Ratio& BarOf(const ShapeKey& shape, const Standing& standing) {
  return shape.op == Operator::kBrought ? standing.of_first : standing.of_baseline;
}

ScriptClaims ClaimsOf(const ScriptStage& stage) {
  ScriptClaims claims;
  claims.ran = true;
  if (const auto& verdict = stage.output.verdict) {
    claims.verify =
        verdict->passed ? "PASS" : fmt::format("FAIL max_abs_err={}", verdict->max_abs_err);
  }
  claims.timing = stage.output.timing;
  if (!stage.run.succeeded) claims.problem = stage.run.reason;
  return claims;
}

}  // namespace

Result<int> BeginOrTakeUp(journal::Journal& journal, const std::string& tag,
                          const std::string& config, int round) {
  CROQ_ASSIGN(const std::optional<journal::OpenIteration> open, journal.FindOpenIteration());
  if (open && open->tag == tag && open->config == config) return open->number;
  return journal.BeginIteration(tag, config, round);
}

Result<Written> IterationWriter::Write(const Candidate& candidate, const Candidate* best,
                                       const Origin& origin) {
  claims_ = {};
  Iteration iteration;
  CROQ_ASSIGN(iteration.number, BeginOrTakeUp(session_.journal, candidate.tag,
                                              candidate.config.Text(), origin.round));
  iteration.tag = candidate.tag;
  iteration.round = origin.round;
  iteration.config = candidate.config.Text();
  iteration.idea = origin.idea;
  iteration.build = candidate.build;
  iteration.predicted = session_.evaluator.Predicted();
  CROQ_TRY(WriteFiles(iteration.number, candidate));
  CROQ_ASSIGN(std::optional<Failed> failed, CheckRule(candidate, iteration));
  if (!failed) {
    CROQ_ASSIGN(failed, BuildAndRun(candidate, iteration));
  }
  Standing standing;
  if (!failed) {
    CROQ_ASSIGN(failed, JudgeIt(candidate, best, iteration, standing));
  }
  Written written;
  if (failed) {
    CROQ_ASSIGN(written.attempt, GiveUp(candidate, iteration, *failed, origin));
    written.claims = std::move(claims_);
    return written;
  }
  const bool keep = best == nullptr || standing.of_best.low > 1;
  iteration.decision = keep ? Decision::kKeep : Decision::kDiscard;
  iteration.at_millis = UnixMillis();
  journal::Idea idea = MakeIdea(iteration, origin, standing, best != nullptr);
  if (origin.complete) CROQ_TRY(origin.complete(iteration, &standing, idea));
  KeepCubins(candidate, iteration);
  CROQ_TRY(session_.journal.CommitIteration(iteration, std::move(idea)));
  nlohmann::json event = ToJson(iteration, session_.shape.op);
  if (standing.of_first.known()) {
    event["ratio_first"] = ToJson(standing.of_first);
    if (keep) {
      CROQ_TRY(session_.journal.SetFact(
          kFirstFact, {{"iteration", iteration.Name()}, {"ratio", event["ratio_first"]}}));
    }
  }
  if (!standing.checked) event["not_checked"] = standing.reason;
  event["path"] = session_.paths.Source(iteration.Name()).string();
  if (standing.of_heuristic.known()) event["ratio_cublas_lt_best"] = ToJson(standing.of_heuristic);
  session_.observer.OnEvent("iteration", event);
  written.iteration = std::move(iteration);
  written.standing = std::move(standing);
  written.claims = std::move(claims_);
  return written;
}

Status IterationWriter::WriteFiles(int number, const Candidate& candidate) {
  CROQ_TRY(WriteCommands(session_, number, candidate.tag,
                         contract::KernelFilterOf(candidate.plan)));
  const std::string name = IterationName(number) + "_" + candidate.tag;
  return WriteFileAtomic(session_.paths.Source(name), candidate.source);
}

/// What was measured, to be looked into later. A kernel without it is still a kernel.
void IterationWriter::KeepCubins(const Candidate& candidate, const Iteration& iteration) {
  for (std::size_t kernel = 0; kernel < candidate.plan.kernels.size(); ++kernel) {
    const std::filesystem::path kept = session_.paths.Cubin(iteration.Name(), kernel);
    const Status folder = MakeDirectories(kept.parent_path());
    std::error_code code;
    if (folder) {
      std::filesystem::copy_file(candidate.plan.kernels[kernel].cubin_path, kept,
                                 std::filesystem::copy_options::overwrite_existing, code);
    }
    if (!folder || code) {
      Warn(fmt::format("{}: its cubin was not kept: {}", iteration.Name(),
                       folder ? code.message() : folder.error().message));
    }
  }
}

Result<std::optional<IterationWriter::Failed>> IterationWriter::CheckRule(
    const Candidate& candidate, const Iteration& iteration) {
  CROQ_ASSIGN(const RuleVerdict verdict,
              session_.rules.Check(session_.paths.Source(iteration.Name()).string(),
                                   candidate.source, std::max(1, iteration.number)));
  for (const std::string& suspicion : verdict.suspicions)
    Warn(fmt::format("{}: {}", iteration.Name(), suspicion));
  if (verdict.accepted) return std::nullopt;
  // It has no build of its own: the findings are what there is to read.
  const std::filesystem::path log = session_.paths.BuildLog(iteration.number);
  CROQ_TRY(WriteFileAtomic(log, verdict.log));
  return Failed{Outcome::kRule, verdict.reason, log.string(), 1};
}

Result<std::optional<IterationWriter::Failed>> IterationWriter::BuildAndRun(
    const Candidate& candidate, Iteration& iteration) {
  std::optional<Failed> failed;
  const int tries = std::max(1, session_.contract.scripts.retry_budget);
  for (int attempt = 1; attempt <= tries; ++attempt) {
    CROQ_ASSIGN(failed, RunOnce(candidate, iteration));
    // Wrong numbers don't become right by trying again; a machine's hiccup may pass.
    if (!failed || failed->outcome == Outcome::kCorrectness) break;
    failed->tries = attempt;
    Warn(fmt::format("{} failed (try {} of {}): {}", iteration.Name(), attempt, tries,
                     failed->reason));
  }
  return failed;
}

Result<std::optional<IterationWriter::Failed>> IterationWriter::RunOnce(const Candidate& candidate,
                                                                        Iteration& iteration) {
  const int number = iteration.number;
  CROQ_ASSIGN(const ScriptRun build, RunBuildScript(session_, number));
  if (!build.succeeded) {
    return Failed{build.timed_out ? Outcome::kTimeout : Outcome::kCompile, build.reason,
                  session_.paths.BuildLog(number).string(), 0};
  }
  if (session_.evaluator.Predicted()) return std::nullopt;
  CROQ_ASSIGN(const ScriptStage stage, RunTimingScript(session_, number, [&] {
                return session_.evaluator.ContractTime(candidate);
              }));
  if (stage.outcome != Outcome::kCorrect) return Failed{stage.outcome, stage.reason, "", 0};
  claims_ = ClaimsOf(stage);
  if (word_ == ScriptWord::kDecides) {
    if (std::optional<Failed> failed =
            Believe(stage, session_.paths.TimingLog(number).string())) {
      return failed;
    }
  }
  if (claims_.timing) iteration.script_tflops = claims_.timing->tflops;
  ReportAgreement(session_, iteration.Name(), stage);
  return std::nullopt;
}

std::optional<IterationWriter::Failed> IterationWriter::Believe(const ScriptStage& stage,
                                                                const std::string& log) const {
  const ScriptOutput& output = stage.output;
  if (output.verdict && !output.verdict->passed) {
    return Failed{Outcome::kCorrectness,
                  fmt::format("its verify() failed: max_abs_err={}", output.verdict->max_abs_err),
                  log, 1};
  }
  if (!stage.run.succeeded) {
    return Failed{stage.run.timed_out ? Outcome::kTimeout : Outcome::kCompile, stage.run.reason,
                  log, 0};
  }
  if (!output.verdict || !output.timing) {
    return Failed{Outcome::kRuntime, "it did not print its verdict and its time as the contract asks",
                  log, 0};
  }
  return std::nullopt;
}

Result<std::optional<IterationWriter::Failed>> IterationWriter::JudgeIt(const Candidate& candidate,
                                                                        const Candidate* best,
                                                                        Iteration& iteration,
                                                                        Standing& standing) {
  CROQ_ASSIGN(standing, session_.evaluator.Judge(candidate, best));
  if (standing.outcome != Outcome::kCorrect) {
    return Failed{standing.outcome, standing.reason, "", 1};
  }
  iteration.verified = standing.checked;
  iteration.max_abs_err = standing.max_abs_err;
  iteration.time_ms = standing.contract_ms;
  iteration.tflops = Tflops(session_.shape.Flops(), standing.contract_ms);
  iteration.cold_ms = standing.cold_ms;
  const Ratio& bar = BarOf(session_.shape, standing);
  iteration.ratio = bar.value;
  iteration.ratio_low = bar.low;
  iteration.ratio_high = bar.high;
  iteration.best_ratio = standing.of_best.value;
  return std::nullopt;
}

Result<Attempt> IterationWriter::WriteFailure(const Candidate& candidate, Outcome outcome,
                                              const std::string& reason, const std::string& log,
                                              const Origin& origin) {
  Iteration iteration;
  iteration.round = origin.round;
  iteration.tag = candidate.tag;
  CROQ_ASSIGN(iteration.number, BeginOrTakeUp(session_.journal, candidate.tag,
                                              candidate.config.Text(), origin.round));
  CROQ_TRY(WriteFiles(iteration.number, candidate));
  return GiveUp(candidate, iteration, {outcome, reason, log, 1}, origin);
}

Result<Attempt> IterationWriter::GiveUp(const Candidate& candidate, Iteration& iteration,
                                        const Failed& failed, const Origin& origin) {
  Attempt attempt;
  attempt.tag = candidate.tag;
  attempt.config = candidate.config.Text();
  attempt.outcome = failed.outcome;
  attempt.reason = failed.reason;
  attempt.log = failed.log;
  attempt.tries = failed.tries;
  attempt.at_millis = UnixMillis();
  Standing none;
  journal::Idea idea = MakeIdea(iteration, origin, none, true);
  idea.actual = fmt::format("{}: {}", NameOf(failed.outcome), failed.reason);
  if (origin.complete) CROQ_TRY(origin.complete(iteration, nullptr, idea));
  CROQ_ASSIGN(attempt, session_.journal.AbandonIteration(iteration.number, attempt, idea));
  session_.observer.OnEvent("attempt", ToJson(attempt));
  return attempt;
}

void IterationWriter::Warn(const std::string& message) {
  session_.observer.OnEvent("warning", {{"message", message}});
}

}  // namespace croq::tune
