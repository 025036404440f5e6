#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "croq/contract/contract.h"
#include "croq/operators/operator.h"
#include "croq/source/purity.h"
#include "croq/tune/brought/host_steps.h"

namespace croq::tune {

/// A file that somebody hands in to be judged, as it was read.
struct CandidateFile {
  std::string name;   ///< for messages
  std::string tag;    ///< of its iteration or attempt
  std::string bytes;
};

/// Candidates that are whole files: each is checked, captured once and compiled as it stands. A
/// configuration `file source=<fingerprint>` stands for one; every other configuration is a
/// built-in one of the same problem, so that a file can meet croq's own kernels in one session.
class FileFactory : public operators::CandidateFactory {
 public:
  struct Parts {
    const ShapeKey& shape;
    const contract::Contract& contract;
    TreeReader& reader;
    HostCapture& capture;
    std::filesystem::path work;          ///< absolute; one file a candidate
    std::unique_ptr<operators::CandidateFactory> built_in;
  };

  explicit FileFactory(Parts parts) : parts_(std::move(parts)) {}

  /// Takes a file up and gives the configuration that stands for it.
  Config Add(CandidateFile file);
  /// What the purity rule said of a file that was made; empty before that.
  const source::PurityReport& ReportOn(const Config& config) const;

  const SearchSpace& Space() const override { return nothing_; }
  Result<operators::Script> Render(const Config& config) const override;
  Result<operators::Made> Make(const Config& config) const override;
  std::vector<CompileJob> Jobs(const Config& config,
                               const std::filesystem::path& source) const override;
  LaunchPlan Plan(const Config& config, std::vector<CompiledKernel> kernels) const override;
  Result<operators::Script> BaselineScript() const override;
  Result<operators::Twin> MakeTwin(const Config& config) const override;
  std::string TritonConfig(const Config& config) const override;

 private:
  struct Entry {
    CandidateFile file;
    source::PurityReport report;
    Captured captured;
  };

  /// The file of a configuration; null where that is a built-in one.
  Entry* Find(const Config& config) const;
  Status Check(Entry& entry) const;

  Parts parts_;
  SearchSpace nothing_;
  mutable std::map<std::string, Entry> entries_;  ///< by configuration
};

/// `_`-separated lower-case words of a file's name as a tag: `iter003_My-Kernel.py` gives
/// `my_kernel`; `candidate` where nothing of it can stand in one.
std::string TagOfFile(const std::filesystem::path& path);

}  // namespace croq::tune
