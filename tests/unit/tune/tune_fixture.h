#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "croq/base/files.h"
#include "croq/journal/journal.h"
#include "croq/tune/session.h"
#include "support/fake_builder.h"
#include "support/fake_evaluator.h"
#include "support/fake_factory.h"
#include "support/fake_rule_check.h"
#include "support/fake_script_host.h"
#include "support/recording_observer.h"
#include "support/scripted_strategy.h"
#include "unit/journal/journal_fixture.h"

namespace croq::tune {

using croq::testing::FakeBuilder;
using croq::testing::FakeConfig;
using croq::testing::FakeEvaluator;
using croq::testing::FakeFactory;
using croq::testing::FakeScriptHost;
using croq::testing::RecordingObserver;
using croq::testing::ScriptedStrategy;

/// The value, or a failure of the test that shows the error.
template <typename T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    std::abort();
  }
  return *std::move(result);
}

inline void Must(const Status& status) {
  ASSERT_TRUE(status) << status.error().message;
}

inline const contract::Contract& TritonContract() {
  static const contract::Contract contract = Must(
      contract::LoadContract(std::filesystem::path(CROQ_SOURCE_DIR) / "contracts" / "triton.toml"));
  return contract;
}

/// A session with a journal on disk and stand-ins for everything that costs time.
class TuneTest : public ::testing::Test {
 protected:
  TuneTest() { Restart(); }

  /// As a new process sees the session: the journal opened again, everything else fresh.
  void Restart() {
    journal_.reset();
    journal_ = Must(journal::Journal::Open(paths_, info_));
    builder_ = std::make_unique<FakeBuilder>(paths_.Work() / "cubins");
    evaluator_ = std::make_unique<FakeEvaluator>();
    scripts_ = std::make_unique<FakeScriptHost>(paths_, shape_.Flops());
    strategy_ = std::make_unique<ScriptedStrategy>();
    observer_ = std::make_unique<RecordingObserver>();
    interrupted_ = false;
  }

  Session MakeSession() {
    return Session{shape_,     device_,    paths_,       TritonContract(), {"/opt/croq/bin"},
                   factory_,   *journal_,  *builder_,    *evaluator_,      *scripts_,
                   rules_,    *strategy_, *observer_, interrupted_, baseline_ms_};
  }

  /// iter000 as a session on a GPU has it before any candidate.
  void StoreBaseline() {
    Iteration baseline;
    baseline.number = Must(journal_->BeginIteration("torch_matmul", "torch.matmul", 0));
    baseline.tag = "torch_matmul";
    baseline.config = "torch.matmul";
    Must(journal_->CommitIteration(baseline));
  }

  /// A kernel that an earlier run kept.
  void StoreKept(const Config& config) {
    Iteration kept;
    kept.tag = FakeFactory::TagOf(config);
    kept.config = config.Text();
    kept.number = Must(journal_->BeginIteration(kept.tag, kept.config, 1));
    kept.decision = Decision::kKeep;
    kept.verified = true;
    Must(journal_->CommitIteration(kept));
  }

  void StoreTrial(const Config& config, double time_ms, Outcome outcome = Outcome::kCorrect) {
    Trial trial;
    trial.round = 1;
    trial.config = config;
    trial.outcome = outcome;
    trial.time_ms = time_ms;
    Must(journal_->AppendTrial(trial));
    Must(journal_->Flush());
  }

  /// Proposes CODE 1, 2, ... with the given times.
  void Propose(const std::vector<double>& times) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Config config = FakeConfig(static_cast<std::int64_t>(i) + 1);
      strategy_->proposals.push_back(config);
      evaluator_->times[config.Text()] = times[i];
    }
  }

  std::vector<Trial> StoredTrials() { return Must(journal_->read().Trials(1000)); }
  std::vector<Iteration> StoredIterations() { return Must(journal_->read().Iterations()); }
  std::vector<Attempt> StoredAttempts() { return Must(journal_->read().Attempts()); }
  std::filesystem::path WorkFolder() const { return paths_.Work(); }

  journal::TempFolder folder_;
  journal::SessionInfo info_ = journal::MakeInfo();
  SessionPaths paths_ = journal::PathsOf(folder_.path(), info_);
  ShapeKey shape_ = Must(ParseShapeKey(info_.shape_key));
  DeviceFacts device_ = Must(OfflineDevice(90));
  FakeFactory factory_;
  croq::testing::FakeRuleCheck rules_;
  double baseline_ms_ = 0;
  std::unique_ptr<journal::Journal> journal_;
  std::unique_ptr<FakeBuilder> builder_;
  std::unique_ptr<FakeEvaluator> evaluator_;
  std::unique_ptr<FakeScriptHost> scripts_;
  std::unique_ptr<ScriptedStrategy> strategy_;
  std::unique_ptr<RecordingObserver> observer_;
  std::atomic<bool> interrupted_{false};
};

}  // namespace croq::tune
