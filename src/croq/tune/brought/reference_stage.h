#pragma once

#include <filesystem>
#include <future>
#include <optional>

#include "croq/model/problem.h"
#include "croq/tune/brought/brought_file.h"
#include "croq/tune/brought/host_steps.h"
#include "croq/tune/runner.h"
#include "croq/tune/session.h"

/// The person's torch reference: what outputs are compared with, and the bar that iter000 is.
namespace croq::tune {

/// What the reference took, in its own process.
struct ReferenceBar {
  double contract_ms = 0;  ///< with the problem's own dtypes; 0: not timed
  double cold_ms = 0;
  std::string problem;     ///< why there is no time
};

/// Computes the reference of the first input sets from the inputs that the runner holds, in the
/// background, and gives it to the runner; the files stay below `work` for a fresh runner process.
/// Times it with the first set: nothing else may use the GPU between Start and Finish.
class ReferenceStage {
 public:
  /// All outlive the stage.
  ReferenceStage(Runner& runner, ReferenceRunner& reference, const BroughtFile& file,
                 std::filesystem::path work);
  /// Waits for what runs.
  ~ReferenceStage() = default;

  Status Start(int input_sets);
  /// Usage error where the reference function fails.
  Result<ReferenceBar> Finish();

 private:
  std::filesystem::path Inputs(int set) const;
  std::filesystem::path Outputs(int set) const;
  Result<ReferenceBar> RunAll(int sets) const;

  Runner& runner_;
  ReferenceRunner& reference_;
  const BroughtFile& file_;
  std::filesystem::path work_;
  int sets_ = 0;
  std::future<Result<ReferenceBar>> running_;
};

/// iter000, the reference as a script. Where it is stored already nothing is done.
class ReferenceIteration {
 public:
  explicit ReferenceIteration(Session& session) : session_(session) {}
  /// Writes and builds it.
  Status Build();
  /// Build had something to do.
  bool started() const { return iteration_.has_value(); }
  /// Runs it where `bar` is given, and stores it.
  Status Finish(const std::optional<ReferenceBar>& bar);

 private:
  Session& session_;
  std::optional<Iteration> iteration_;  ///< between Build and Finish; nothing: it is stored already
};

}  // namespace croq::tune
