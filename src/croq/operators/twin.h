#pragma once

#include "croq/model/config.h"
#include "croq/operators/matmul_config.h"

namespace croq::operators {

/// A problem and configuration small enough for Triton's interpreter that take the same branches
/// of the kernel: each dimension keeps its divisibility by 1, 2, 4, 8, 16 and whether the blocks
/// divide it; at most 3 x 2 tiles of 3 steps (2 with block scales, which span 128 each); persistent
/// programs get more than one tile. bf16 becomes f16: the interpreter computes bf16 wrongly and says
/// nothing.
struct MatmulTwin {
  MatmulProblem problem;
  Config config;
};

/// `config` must be well-formed for `read`, its typed form.
MatmulTwin MakeMatmulTwin(const MatmulProblem& problem, const Config& config,
                          const MatmulConfig& read);

}  // namespace croq::operators
