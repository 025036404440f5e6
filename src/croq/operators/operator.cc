#include "croq/operators/operator.h"

#include <fmt/format.h>

#include <utility>

#include "croq/operators/matmul_factory.h"
#include "croq/operators/template_set.h"

namespace croq::operators {

Result<std::unique_ptr<CandidateFactory>> MakeFactory(const ShapeKey& shape,
                                                      const DeviceFacts& device,
                                                      const contract::Contract& contract,
                                                      const std::filesystem::path& operators_dir) {
  if (!contract.ToleranceOf(shape.dtype)) {
    return UsageFailure(fmt::format("{} has no tolerance for {}: add a [[verify.tolerance]]",
                                    contract.file.string(), FactsOf(shape.dtype).name));
  }
  // All operators are one kernel but for how B lies and what scales it has.
  CROQ_ASSIGN(TemplateSet templates, TemplateSet::Load(operators_dir / "matmul"));
  return MakeMatmulFactory(shape, device, contract, std::move(templates));
}

}  // namespace croq::operators
