#include "croq/tune/judge/judge.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "croq/base/files.h"
#include "croq/base/hash.h"

namespace croq::tune {
namespace {

constexpr const char* kLastRoundFact = "last_round";
constexpr const char* kEvidence = "handed in to be judged";

Result<int> NextRound(journal::Journal& journal) {
  CROQ_ASSIGN(const std::optional<nlohmann::json> fact, journal.Fact(kLastRoundFact));
  const int round = (fact && fact->is_number_integer() ? fact->get<int>() : 0) + 1;
  CROQ_TRY(journal.SetFact(kLastRoundFact, round));
  return round;
}

}  // namespace

Status Judge::CloseOpen() {
  CROQ_ASSIGN(const std::optional<journal::OpenIteration> open, session_.journal.FindOpenIteration());
  if (!open || open->number == 0) return {};
  Attempt attempt;
  attempt.tag = open->tag;
  attempt.config = open->config;
  attempt.outcome = Outcome::kRuntime;
  attempt.reason = "interrupted before it had a verdict";
  attempt.at_millis = UnixMillis();
  return session_.journal.AbandonIteration(open->number, attempt).map([](const Attempt&) {});
}

Result<Built> Judge::BuildOne(const Config& config) {
  CROQ_ASSIGN(std::vector<Built> built, pipeline_.BuildNow({config}));
  return std::move(built.front());
}

Result<std::optional<Candidate>> Judge::BestBefore(Verdict& verdict) {
  CROQ_ASSIGN(const std::optional<Iteration> best, session_.journal.read().Best());
  if (!best) return std::nullopt;
  verdict.best_before = best->Name();
  CROQ_ASSIGN(const Config stored, ParseConfig(best->config));
  Config config = stored;
  if (stored.variant == "file") {
    const std::filesystem::path path = session_.paths.Source(best->Name());
    CROQ_ASSIGN(std::string bytes, ReadFile(path));
    config = factory_.Add({path.filename().string(), best->tag, std::move(bytes)});
    if (config != stored) {
      return Failure(fmt::format("{} is not the file that was judged and stored as the best kernel: "
                                 "put it back, or start another session with --model",
                                 path.string()));
    }
  }
  CROQ_ASSIGN(Built built, BuildOne(config));
  if (built.outcome == Outcome::kCorrect) return std::move(built.candidate);
  return Failure(fmt::format("the best kernel so far, {}, does not build any more ({}): {}",
                             best->Name(), NameOf(built.outcome), built.reason));
}

Result<Verdict> Judge::Fail(Verdict verdict, const Built& built, const std::string& idea) {
  verdict.outcome = built.outcome;
  verdict.reason = built.reason;
  CROQ_ASSIGN(verdict.attempt, writer_.WriteFailure(built.candidate, built.outcome, built.reason,
                                                    built.log, Origin{0, idea, kEvidence}));
  return verdict;
}

Result<Verdict> Judge::Run(CandidateFile file, const std::string& idea) {
  CROQ_TRY(CloseOpen());
  Verdict verdict;
  const Config config = factory_.Add(std::move(file));
  CROQ_ASSIGN(Built built, BuildOne(config));
  verdict.rule = factory_.ReportOn(config);
  if (built.outcome != Outcome::kCorrect) return Fail(std::move(verdict), built, idea);
  CROQ_ASSIGN(const Evaluation evaluation, session_.evaluator.Screen(built.candidate, 0));
  if (evaluation.outcome != Outcome::kCorrect) {
    built.outcome = evaluation.outcome;
    built.reason = evaluation.reason;
    return Fail(std::move(verdict), built, idea);
  }
  CROQ_ASSIGN(const std::optional<Candidate> best, BestBefore(verdict));
  CROQ_ASSIGN(const int round, NextRound(session_.journal));
  CROQ_ASSIGN(Written written, writer_.Write(built.candidate, best ? &*best : nullptr,
                                             Origin{round, idea, kEvidence}));
  verdict.iteration = std::move(written.iteration);
  verdict.attempt = std::move(written.attempt);
  verdict.standing = std::move(written.standing);
  verdict.claims = std::move(written.claims);
  if (verdict.attempt) {
    verdict.outcome = verdict.attempt->outcome;
    verdict.reason = verdict.attempt->reason;
  }
  return verdict;
}

}  // namespace croq::tune
