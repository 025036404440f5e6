#pragma once

#include <memory>

#include "croq/operators/operator.h"
#include "croq/operators/template_set.h"

namespace croq::operators {

/// Candidates of matmul, matmul_nt and blockscale_gemm.
std::unique_ptr<CandidateFactory> MakeMatmulFactory(const ShapeKey& shape,
                                                    const DeviceFacts& device,
                                                    const contract::Contract& contract,
                                                    TemplateSet templates);

}  // namespace croq::operators
