#include "croq/operators/matmul_factory.h"

#include <utility>

#include "croq/base/check.h"
#include "croq/operators/matmul_config.h"
#include "croq/operators/matmul_space.h"
#include "croq/operators/plan.h"
#include "croq/operators/script.h"
#include "croq/operators/twin.h"

namespace croq::operators {
namespace {

constexpr const char* kBf16Note = "checked as its f16 twin: the interpreter's bf16 is wrong";

/// The typed form of a configuration that the space accepted.
MatmulConfig Accepted(const Config& config) {
  Result<MatmulConfig> read = ReadMatmulConfig(config);
  CROQ_CHECK(read.has_value());
  return *std::move(read);
}

class MatmulFactory : public CandidateFactory {
 public:
  MatmulFactory(const ShapeKey& shape, const DeviceFacts& device,
                const contract::Contract& contract, TemplateSet templates)
      : problem_{shape, device},
        contract_(contract),
        templates_(std::move(templates)),
        space_(MatmulSpace(problem_, contract_)) {}

  const SearchSpace& Space() const override { return space_; }

  Result<Script> Render(const Config& config) const override {
    CROQ_ASSIGN(const MatmulConfig read, ReadMatmulConfig(config));
    return MatmulScript(templates_, contract_, problem_, read);
  }

  std::vector<CompileJob> Jobs(const Config& config,
                               const std::filesystem::path& source) const override {
    return MatmulJobs(problem_, Accepted(config), source);
  }

  LaunchPlan Plan(const Config& config, std::vector<CompiledKernel> kernels) const override {
    return MatmulPlan(problem_, Accepted(config), std::move(kernels));
  }

  Result<Script> BaselineScript() const override {
    return MatmulBaseline(templates_, contract_, problem_);
  }

  Result<Twin> MakeTwin(const Config& config) const override {
    CROQ_ASSIGN(const MatmulConfig read, ReadMatmulConfig(config));
    const MatmulTwin small = MakeMatmulTwin(problem_, config, read);
    CROQ_ASSIGN(const MatmulConfig small_read, ReadMatmulConfig(small.config));
    CROQ_ASSIGN(Script script, MatmulScript(templates_, contract_, small.problem, small_read));
    Twin twin;
    twin.shape = small.problem.shape;
    twin.config = small.config;
    twin.source = std::move(script.source);
    twin.tolerance = contract_.ToleranceOf(twin.shape.dtype).value_or(0);
    if (twin.shape.dtype != problem_.shape.dtype) twin.note = kBf16Note;
    return twin;
  }

  std::string TritonConfig(const Config& config) const override {
    return MatmulTritonConfig(problem_, Accepted(config));
  }

 private:
  MatmulProblem problem_;
  contract::Contract contract_;
  TemplateSet templates_;
  SearchSpace space_;
};

}  // namespace

std::unique_ptr<CandidateFactory> MakeMatmulFactory(const ShapeKey& shape,
                                                    const DeviceFacts& device,
                                                    const contract::Contract& contract,
                                                    TemplateSet templates) {
  return std::make_unique<MatmulFactory>(shape, device, contract, std::move(templates));
}

}  // namespace croq::operators
