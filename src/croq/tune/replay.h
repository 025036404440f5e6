#pragma once

#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "croq/model/recording.h"
#include "croq/operators/operator.h"
#include "croq/search/virtual_clock.h"
#include "croq/tune/builder.h"
#include "croq/tune/evaluator.h"
#include "croq/tune/rule_check.h"
#include "croq/tune/script_host.h"

/// The parts of a session that a recording stands in for. All share one recording and one clock,
/// which outlive them.
namespace croq::tune {

/// Makes candidates that are nothing but their configuration.
class RecordedFactory : public operators::CandidateFactory {
 public:
  explicit RecordedFactory(const Recording& recording) : space_(SpaceOf(recording)) {}

  const SearchSpace& Space() const override { return space_; }
  Result<operators::Script> Render(const Config& config) const override;
  Result<operators::Made> Make(const Config& config) const override;
  std::vector<CompileJob> Jobs(const Config& config,
                               const std::filesystem::path& source) const override;
  LaunchPlan Plan(const Config& config, std::vector<CompiledKernel> kernels) const override;
  Result<operators::Script> BaselineScript() const override;
  Result<operators::Twin> MakeTwin(const Config& config) const override;
  std::string TritonConfig(const Config& config) const override { return config.Text(); }

 private:
  SearchSpace space_;
};

/// "Builds" in the recorded time, on the clock's workers.
class ReplayBuilder : public Builder {
 public:
  ReplayBuilder(const RecordedTrials& trials, search::VirtualClock& clock, int workers)
      : trials_(trials), clock_(clock), workers_(workers) {}

  int Capacity() const override { return 2 * workers_; }
  Status Submit(std::int64_t ticket, CompileJob job) override;
  Result<std::optional<BuildResult>> Next(std::chrono::milliseconds wait) override;
  int Pending() const override { return static_cast<int>(queue_.size()); }

 private:
  struct Job {
    double done_ms = 0;
    std::int64_t ticket = 0;
    const RecordedTrial* trial = nullptr;
    bool operator>(const Job& other) const {
      return std::pair(done_ms, ticket) > std::pair(other.done_ms, other.ticket);
    }
  };

  const RecordedTrials& trials_;
  search::VirtualClock& clock_;
  int workers_;
  std::priority_queue<Job, std::vector<Job>, std::greater<>> queue_;
};

/// Stands where a session has what runs scripts and judges them: a replay writes none.
class ReplayScripts : public ScriptHost, public RuleCheck {
 public:
  Result<ScriptRun> Run(const std::filesystem::path& script, double deadline_seconds) override;
  Result<RuleVerdict> Check(const std::string& name, const std::string& source,
                            int iteration) override;
};

/// Gives recorded times. What is beyond a trial (scripts, duels) a recording does not hold.
class ReplayEvaluator : public Evaluator {
 public:
  ReplayEvaluator(const RecordedTrials& trials, search::VirtualClock& clock)
      : trials_(trials), clock_(clock) {}

  bool Predicted() const override { return true; }
  Result<Evaluation> Screen(const Candidate& candidate, double incumbent_ms) override;
  Result<std::optional<std::size_t>> Settle(const std::vector<Candidate>& finalists,
                                            std::vector<Rejected>& rejected) override;
  Result<Standing> Judge(const Candidate& candidate, const Candidate* best) override;
  Result<ContractTiming> ContractTime(const Candidate& candidate) override;

 private:
  const RecordedTrials& trials_;
  search::VirtualClock& clock_;
};

}  // namespace croq::tune
