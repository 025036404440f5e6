#pragma once

#include <string>

#include "croq/contract/contract.h"
#include "croq/operators/matmul_config.h"
#include "croq/operators/operator.h"
#include "croq/operators/template_set.h"

namespace croq::operators {

/// The script of one configuration. Its layout does not depend on the values, so the line numbers
/// in a cubin do not either.
Result<Script> MatmulScript(const TemplateSet& templates, const contract::Contract& contract,
                            const MatmulProblem& problem, const MatmulConfig& config);

/// iter000: torch.matmul at the shape's precision.
Result<Script> MatmulBaseline(const TemplateSet& templates, const contract::Contract& contract,
                              const MatmulProblem& problem);

/// `tiled_128x256x64_w8_s3`, with `_k4` behind it for K in 4 parts and `_c2` for a cluster of 2: a
/// valid tag for every configuration that the constraints let through. Not unique: it leaves the lesser levers out.
std::string MatmulTag(const MatmulConfig& config);

/// `triton.Config({"BLOCK_M": 128, ...}, num_warps=8, num_stages=3)`: the kernel's constants by
/// name, without those that follow from the shape (EVEN_M, ...).
std::string MatmulTritonConfig(const MatmulProblem& problem, const MatmulConfig& config);

}  // namespace croq::operators
