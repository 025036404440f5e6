#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "croq/backend/compile_pool.h"
#include "croq/backend/interpreter_check.h"
#include "croq/backend/purity_check.h"
#include "croq/backend/script_host.h"
#include "croq/cli/tune_brought.h"
#include "croq/cli/tune_ideas.h"
#include "croq/cli/tune_search.h"
#include "croq/cli/tune_setup.h"
#include "croq/journal/journal.h"
#include "croq/tune/baseline_stage.h"
#include "croq/tune/round_loop.h"
#include "croq/tune/shared_builder.h"

namespace croq::cli {

/// One session while it runs. Members are in the order they depend on one another.
class ShapeRun {
 public:
  /// `brought`: null where croq's own templates are tuned; it outlives this.
  ShapeRun(TuneSetup& setup, const ShapeKey& shape, BroughtRun* brought,
           const std::atomic<bool>& interrupted);

  Result<int> Run();

 private:
  Status Open();
  Status StartWorkers();
  Status PrepareEvaluator();
  Status Measure();
  Status MakeStrategy();
  Status StartRun();
  Result<tune::RunSummary> Tune();
  Status Enter();
  Status TimeAgain(tune::RoundLoop& loop, tune::Session& session);
  tune::Session MakeSession();
  void Started() const;
  Result<int> Finish(const tune::RunSummary& summary);
  void Note(const std::string& message) const;

  TuneSetup& setup_;
  const ShapeKey& shape_;
  BroughtRun* brought_;
  const std::atomic<bool>& interrupted_;
  SessionPaths paths_;
  std::uint64_t seed_;
  std::uint64_t input_seed_;
  std::unique_ptr<tune::Observer> observer_;
  std::unique_ptr<journal::Journal> journal_;
  std::unique_ptr<operators::CandidateFactory> factory_;
  std::unique_ptr<backend::CompilePool> pool_;
  std::unique_ptr<tune::SharedBuilder> builder_;
  std::unique_ptr<backend::InterpreterCheck> numerics_;
  std::unique_ptr<backend::SupervisedScriptHost> scripts_;
  std::unique_ptr<backend::PurityCheck> rules_;
  std::vector<std::filesystem::path> script_path_folders_;
  tune::Baseline bars_;
  std::unique_ptr<tune::Evaluator> evaluator_;
  RejectionSink rejections_;
  std::unique_ptr<search::Strategy> strategy_;
  std::int64_t used_trials_ = 0;
  double used_seconds_ = 0;
  MeasuredDevice measured_;   ///< in this run
  RoundCounters counters_;
};

}  // namespace croq::cli
