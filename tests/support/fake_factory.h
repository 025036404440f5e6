#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "croq/operators/operator.h"

namespace croq::testing {

/// Candidates of one variant, `fake`, with three levers: CODE (configurations with equal CODE have
/// equal code), GRID (programs of each launch) and KERNELS (how many a candidate launches).
class FakeFactory : public operators::CandidateFactory {
 public:
  const SearchSpace& Space() const override { return space_; }

  Result<operators::Script> Render(const Config& config) const override {
    if (config.IntOr("RENDERS", 1) == 0)
      return Failure("the template is broken");
    return operators::Script{TagOf(config), "# " + config.Text() + "\n"};
  }

  std::vector<CompileJob> Jobs(const Config& config,
                               const std::filesystem::path& source) const override {
    std::vector<CompileJob> jobs;
    for (std::int64_t i = 0; i < config.IntOr("KERNELS", 1); ++i) {
      CompileJob job;
      job.source_path = source.string();
      job.kernel = "kernel" + std::to_string(i);
      ConstexprValue code;
      code.integer = config.Int("CODE");
      job.parameters.push_back({"CODE", "constexpr", false, code});
      jobs.push_back(std::move(job));
    }
    return jobs;
  }

  LaunchPlan Plan(const Config& config, std::vector<CompiledKernel> kernels) const override {
    LaunchPlan plan;
    plan.buffers = {{"a", 1024, false}, {"b", 1024, false}, {"c", 1024, false}};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      LaunchStep step;
      step.kernel = static_cast<int>(i);
      step.grid = {config.IntOr("GRID", 1), 1, 1};
      step.arguments = {PointerArgument{0, 0}, PointerArgument{1, 0}, PointerArgument{2, 0}};
      plan.steps.emplace_back(std::move(step));
    }
    plan.kernels = std::move(kernels);
    return plan;
  }

  Result<operators::Script> BaselineScript() const override {
    return operators::Script{"torch_matmul", "# torch.matmul\n"};
  }
  Result<operators::Twin> MakeTwin(const Config&) const override { return Failure("no twin"); }
  std::string TritonConfig(const Config& config) const override { return config.Text(); }

  static std::string TagOf(const Config& config) {
    return fmt::format("fake_{}_{}", config.Int("CODE"), config.IntOr("GRID", 1));
  }

 private:
  SearchSpace space_;
};

/// A configuration of FakeFactory.
inline Config FakeConfig(std::int64_t code, std::int64_t grid = 1, std::int64_t kernels = 1) {
  return {"fake", {{"CODE", code}, {"GRID", grid}, {"KERNELS", kernels}}};
}

}  // namespace croq::testing
