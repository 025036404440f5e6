#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "croq/tune/builder.h"

namespace croq::testing {

/// Builds at once and hands out what it built when asked. As the compile pool does, it puts equal
/// code into one file, named by its fingerprint.
class FakeBuilder : public tune::Builder {
 public:
  explicit FakeBuilder(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
  }

  int Capacity() const override { return capacity; }
  int Pending() const override { return static_cast<int>(done_.size()); }

  Status Submit(std::int64_t ticket, CompileJob job) override {
    submitted.push_back(job);
    done_.push_back(Build(ticket, job));
    return {};
  }

  Result<std::optional<tune::BuildResult>> Next(std::chrono::milliseconds) override {
    if (done_.empty())
      return std::nullopt;
    tune::BuildResult result;
    if (newest_first) {
      result = std::move(done_.back());
      done_.pop_back();
    } else {
      result = std::move(done_.front());
      done_.pop_front();
    }
    return result;
  }

  std::filesystem::path CubinOf(const std::string& code) const {
    return folder_ / (code + ".cubin");
  }

  int capacity = 4;
  bool newest_first = false;
  /// What to make of a job: an outcome other than kCorrect fails it. May also change the kernel.
  std::function<void(const CompileJob&, tune::BuildResult&)> shape;
  std::vector<CompileJob> submitted;

 private:
  /// The kernel's name and constants: what the code depends on.
  static std::string CodeOf(const CompileJob& job) {
    std::string code = job.kernel;
    for (const KernelParameter& parameter : job.parameters) {
      if (parameter.type == "constexpr")
        code += "_" + std::to_string(parameter.value.integer);
    }
    return code;
  }

  tune::BuildResult Build(std::int64_t ticket, const CompileJob& job) {
    tune::BuildResult result;
    result.ticket = ticket;
    result.compile_ms = 100;
    result.kernel.entry = job.kernel;
    result.kernel.registers = 64;
    result.kernel.shared_bytes = 1024;
    result.kernel.cubin_fingerprint = CodeOf(job);
    result.kernel.cubin_path = CubinOf(CodeOf(job)).string();
    if (shape)
      shape(job, result);
    if (result.outcome == Outcome::kCorrect)
      std::ofstream(result.kernel.cubin_path) << result.kernel.cubin_fingerprint;
    return result;
  }

  std::filesystem::path folder_;
  std::deque<tune::BuildResult> done_;
};

}  // namespace croq::testing
