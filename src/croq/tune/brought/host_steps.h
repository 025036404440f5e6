#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/compile_job.h"
#include "croq/model/launch_plan.h"
#include "croq/model/outcome.h"
#include "croq/model/problem.h"
#include "croq/source/syntax.h"

/// What a brought file needs of Python processes; the backend implements them. What the file does
/// wrong is data.
namespace croq::tune {

/// A file's tree, or where and why Python refuses the file.
struct ReadTree {
  std::optional<source::SyntaxTree> tree;
  std::string message;  ///< where there is no tree
  int line = 1;
  int column = 0;       ///< from 0, in bytes

  /// `line:column: message`, columns from 1.
  std::string Refusal() const;
};

/// Asks CPython for syntax trees. Nothing of the file is run.
class TreeReader {
 public:
  virtual ~TreeReader() = default;
  /// `path` names the bytes in messages.
  virtual Result<ReadTree> Read(const std::string& path, std::string bytes) = 0;
};

/// What the entry of a file launched.
struct Captured {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  std::vector<CompileJob> jobs;  ///< one a kernel of the plan, in its order
  LaunchPlan plan;               ///< without its kernels, which are not compiled yet
};

/// Runs the entry of a file once under the recording driver.
class HostCapture {
 public:
  virtual ~HostCapture() = default;
  /// `problem`: null for a file that follows the contract, kernel_fn(a, b) of `shape`.
  virtual Result<Captured> Capture(const std::filesystem::path& source, const ShapeKey& shape,
                                   const Problem* problem) = 0;
  /// The same in the background; the future never throws. What it is given is copied.
  virtual std::shared_future<Result<Captured>> Start(const std::filesystem::path& source,
                                                     const ShapeKey& shape,
                                                     const Problem* problem) {
    std::promise<Result<Captured>> done;
    done.set_value(Capture(source, shape, problem));
    return done.get_future().share();
  }
  /// How many captures may be started and not fetched without waiting on one another for long.
  virtual int Room() const { return 1; }
};

/// The person's torch reference on one set of inputs.
struct ReferenceRun {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  double contract_ms = 0;     ///< of one call with the problem's own dtypes; 0: not timed
  double cold_ms = 0;
  std::string time_problem;   ///< why it was not timed though that was asked
};

/// Runs the reference function of a file in a process of its own.
class ReferenceRunner {
 public:
  virtual ~ReferenceRunner() = default;
  /// Reads `<name>.bin` of every input below `inputs`, writes those of the results below `outputs`.
  virtual Result<ReferenceRun> Run(const std::filesystem::path& source, const Problem& problem,
                                   const std::filesystem::path& inputs,
                                   const std::filesystem::path& outputs, bool time) = 0;
};

}  // namespace croq::tune
