#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <string>

#include "croq/contract/contract.h"
#include "croq/operators/operator.h"
#include "croq/operators/template_set.h"
#include "croq/tune/brought/brought_file.h"
#include "croq/tune/brought/host_steps.h"

namespace croq::tune {

/// Makes the candidates of a brought file: each configuration is pinned into the file, held against
/// the purity rule, written to a file of its own and captured once. What fails there is the
/// configuration's outcome.
class BroughtFactory : public operators::CandidateFactory {
 public:
  struct Parts {
    const BroughtFile& file;
    TreeReader& reader;
    HostCapture& capture;
    const contract::Contract& contract;
    operators::TemplateSet templates;    ///< python/operators/brought
    std::filesystem::path work;          ///< absolute; one file a configuration
    /// iter000 of a file that follows the contract: the built-in operator's.
    std::unique_ptr<operators::CandidateFactory> built_in;
  };

  explicit BroughtFactory(Parts parts) : parts_(std::move(parts)) {}

  const SearchSpace& Space() const override { return parts_.file.space; }
  Result<operators::Script> Render(const Config& config) const override;
  Result<operators::Made> Make(const Config& config) const override;
  Status Begin(const Config& config) const override;
  bool IsReady(const Config& config) const override;
  int Room() const override { return parts_.capture.Room(); }
  std::vector<CompileJob> Jobs(const Config& config,
                               const std::filesystem::path& source) const override;
  LaunchPlan Plan(const Config& config, std::vector<CompiledKernel> kernels) const override;
  Result<operators::Script> BaselineScript() const override;
  Result<operators::Twin> MakeTwin(const Config& config) const override;
  std::string TritonConfig(const Config& config) const override;

 private:
  Result<source::SyntaxTree> Parse(std::string bytes) const;
  /// The file with the configuration in it and nothing else changed.
  Result<std::string> Pinned(const Config& config) const;
  /// What the purity rule of iteration 1 says against a script; empty: nothing.
  Result<std::string> BreaksRule(const std::string& script) const;

  using Capturing = std::shared_future<Result<Captured>>;

  /// All that comes before the capture; the file is written where nothing speaks against it.
  Result<operators::Made> Written(const Config& config) const;
  const Captured& CapturedOf(const Config& config) const;

  Parts parts_;
  /// Captures, done or under way, by configuration: one that comes again is not run again.
  mutable std::map<std::string, Capturing> captured_;
  /// What Begin has made of configurations that Make was not asked for yet.
  mutable std::map<std::string, operators::Made> begun_;
};

/// `triton.Config({"BLOCK": 64}, num_warps=8)` of a brought file's configuration.
std::string BroughtTritonConfig(const Config& config);

/// `softmax_w8_s3_1f0c`: the operator's word, what every launch has, and a few digits that tell
/// configurations apart.
std::string BroughtTag(const ShapeKey& shape, const Config& config);

}  // namespace croq::tune
