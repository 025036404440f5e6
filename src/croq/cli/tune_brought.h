#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "croq/backend/brought_steps.h"
#include "croq/base/clock.h"
#include "croq/cli/scratch_folder.h"
#include "croq/cli/tune_setup.h"
#include "croq/journal/journal.h"
#include "croq/tune/brought/brought_factory.h"
#include "croq/tune/brought/brought_file.h"
#include "croq/tune/brought/first_stage.h"
#include "croq/tune/brought/reference_stage.h"
#include "croq/tune/predicted_evaluator.h"
#include "croq/tune/session.h"

namespace croq::cli {

/// What tuning a person's file adds to a session: reading it, its reference, its own first
/// configuration as a bar.
class BroughtRun {
 public:
  /// Reads the file. Usage errors: all that ReadBroughtFile finds, and a problem too large.
  static Result<std::unique_ptr<BroughtRun>> Read(const TuneSetup& setup,
                                                  const std::filesystem::path& file);

  /// Removes the references' files, which a fresh runner process would have read again.
  ~BroughtRun();
  BroughtRun(const BroughtRun&) = delete;
  BroughtRun& operator=(const BroughtRun&) = delete;

  const tune::BroughtFile& file() const { return file_; }
  /// When Read began: what it and all behind it take is of the time budget.
  SteadyTime start() const { return start_; }
  /// What a person should know of how it was read; may be empty.
  const std::string& note() const { return note_; }

  Result<std::unique_ptr<operators::CandidateFactory>> MakeFactory(const TuneSetup& setup,
                                                                   const SessionPaths& paths);
  /// Records the file in the session. What changed since is said as a sentence; usage error where
  /// the session is croq's own or another file's.
  Result<std::string> Enter(journal::Journal& journal) const;

  /// The runner's part of preparing: the problem in `request`.
  void Describe(PrepareRequest& request) const;
  /// After Prepare: begins to compute references.
  Status TakeUp(const TuneSetup& setup, const SessionPaths& paths, const PrepareReply& prepared);

  std::unique_ptr<tune::PredictedEvaluator> MakePredicted(const TuneSetup& setup,
                                                          const SessionPaths& paths);
  /// References, iter000, then builds and judges the file's first configuration, the bar of every
  /// ratio. False where the purity rule rejects the file: then there is nothing to tune, and an
  /// attempt says why.
  Result<bool> Begin(tune::Session& session, bool measured);

  /// What building and running iter000 took, seconds; 0 where it was stored already.
  double script_seconds() const { return script_seconds_; }

  /// What this problem is worth at a time, for the closing table and events: {"gbps", "copy_share",
  /// "speedup_first", "speedup_torch", ...} where they are known.
  nlohmann::json Figures(const Iteration& best, const journal::Journal& journal) const;

 private:
  BroughtRun(tune::BroughtFile file, ScratchFolder scratch,
             std::unique_ptr<backend::WorkerTreeReader> reader,
             std::unique_ptr<backend::WorkerHostCapture> capture)
      : scratch_(std::move(scratch)), reader_(std::move(reader)), capture_(std::move(capture)),
        file_(std::move(file)) {}

  ScratchFolder scratch_;
  std::unique_ptr<backend::WorkerTreeReader> reader_;
  std::unique_ptr<backend::WorkerHostCapture> capture_;
  std::unique_ptr<backend::WorkerReferenceRunner> reference_;  ///< null where nothing is measured
  std::unique_ptr<tune::NumericCheck> numerics_;
  tune::BroughtFile file_;
  std::string note_;
  SteadyTime start_ = std::chrono::steady_clock::now();
  std::unique_ptr<tune::ReferenceStage> stage_;  ///< from TakeUp to Begin
  tune::ReferenceBar bar_;
  std::filesystem::path references_;  ///< of the files; empty: there are none
  double copy_gbps_ = 0;
  double script_seconds_ = 0;
  std::unique_ptr<tune::Pipeline> first_;  ///< holds the first configuration's cubins
};

/// Usage error where the session is a brought file's.
Status CheckNoFile(const journal::Journal& journal);

}  // namespace croq::cli
