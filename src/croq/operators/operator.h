#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "croq/base/result.h"
#include "croq/contract/contract.h"
#include "croq/model/compile_job.h"
#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/launch_plan.h"
#include "croq/model/outcome.h"
#include "croq/model/search_space.h"
#include "croq/model/shape_key.h"

namespace croq::operators {

/// A standalone script as it will lie in `iter<NNN>_<tag>.py`.
struct Script {
  std::string tag;
  std::string source;
};

/// What became of making one configuration. One that can't be made is data, as one that does not
/// compile.
struct Made {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  Script script;
  /// The file that its kernels are compiled from; empty: that of the variant, which the pipeline
  /// writes.
  std::filesystem::path source;
};

/// A small problem with a small configuration of the same kernel text: what Triton's interpreter
/// can check in a moment. Every dimension keeps its divisibility class and whether tiles divide
/// it; there are several tiles and, where the original has them, ragged edges.
struct Twin {
  ShapeKey shape;
  Config config;
  std::string source;         ///< make_inputs(seed, device="cpu") and kernel_fn(a, b, c), of
                              ///< FP8 kernel_fn(a, b, scale_a, scale_b, c)
  double tolerance = 0;       ///< on the largest absolute error against float64
  std::string note;           ///< what differs beside size (bf16 is checked as f16); may be empty
};

/// Makes the candidates of one problem on one device. Pure but for the templates, read once.
/// A configuration given to any method below Space() must be one that Space().reject accepts
/// (Render and MakeTwin take any well-formed one).
class CandidateFactory {
 public:
  virtual ~CandidateFactory() = default;

  virtual const SearchSpace& Space() const = 0;
  virtual Result<Script> Render(const Config& config) const = 0;
  /// All that comes before the compiler; Jobs and Plan are asked of a configuration that was made.
  virtual Result<Made> Make(const Config& config) const {
    CROQ_ASSIGN(Script script, Render(config));
    return Made{Outcome::kCorrect, "", std::move(script), {}};
  }
  /// Begins what of Make takes long, so that Make need not wait for it later; see Room.
  virtual Status Begin(const Config&) const { return {}; }
  /// Whether Make gives its answer at once. True unless Begin has something under way.
  virtual bool IsReady(const Config&) const { return true; }
  /// How many configurations may be under way between Begin and Make.
  virtual int Room() const { return std::numeric_limits<int>::max(); }
  /// One job a kernel of the configuration's plan, in the order that Plan takes the results.
  /// `source` is the script of this configuration or of any other of its variant: all constants
  /// are passed as parameters, so one file a variant serves every trial (and equal code gives
  /// equal cubins, which hold the file's path).
  virtual std::vector<CompileJob> Jobs(const Config& config,
                                       const std::filesystem::path& source) const = 0;
  /// What kernel_fn puts on the stream. Buffers are a, b, c, of FP8 scale_a and scale_b, then
  /// scratch.
  virtual LaunchPlan Plan(const Config& config, std::vector<CompiledKernel> kernels) const = 0;
  /// iter000: the library at equal precision.
  virtual Result<Script> BaselineScript() const = 0;
  virtual Result<Twin> MakeTwin(const Config& config) const = 0;
  /// `triton.Config({...}, num_warps=8, ...)`, for a person's own autotune list.
  virtual std::string TritonConfig(const Config& config) const = 0;
};

/// `operators_dir` holds a folder of templates per operator (python/operators). Usage error where
/// the contract has no tolerance for the shape's dtype; fatal where the templates can't be read.
Result<std::unique_ptr<CandidateFactory>> MakeFactory(const ShapeKey& shape,
                                                      const DeviceFacts& device,
                                                      const contract::Contract& contract,
                                                      const std::filesystem::path& operators_dir);

}  // namespace croq::operators
