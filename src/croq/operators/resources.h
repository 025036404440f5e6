#pragma once

#include <cstdint>

#include "croq/operators/matmul_config.h"

namespace croq::operators {

/// Whether a block's loads of an operand become cp.async or TMA, so that they can run ahead.
/// Triton 3.6 drops the eviction policy of a load that does: the cubin is the one without.
bool PipelinesA(const MatmulProblem& problem, const MatmulConfig& config);
bool PipelinesB(const MatmulProblem& problem, const MatmulConfig& config);

/// What a configuration will take of one block, worked out before it is compiled.
struct MatmulResources {
  std::int64_t shared_bytes = 0;             ///< at least this much
  std::int64_t accumulators_per_thread = 0;  ///< registers that hold the tile of C
  std::int64_t registers_per_thread = 0;     ///< what the block's size leaves to a thread
};

/// The shared memory is a lower bound fitted to what Triton 3.6 allocates for sm_90. A test holds it
/// against 840 compiles over every variant, dtype and alignment: it is never above what was
/// allocated, and it finds 9 in 10 of those that don't fit. Its parts:
///   - the pipeline: num_stages buffers of A and B where wgmma reads them (BLOCK_M >= 64, not f32),
///     one fewer otherwise; an operand whose pieces are too small for cp.async has no pipeline;
///   - the staging tile of C that descriptor stores need: beside the pipeline where a persistent
///     loop keeps loading, in its place otherwise.
MatmulResources EstimateResources(const MatmulProblem& problem, const MatmulConfig& config);

}  // namespace croq::operators
