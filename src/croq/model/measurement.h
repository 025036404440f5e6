#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace croq {

/// Contract: 10 warm-up + 50 timed launches in one loop between two events, one set of buffers.
/// Cold: inputs rotated over more than twice the L2, one event pair a launch. Sustained: back to
/// back for at least a second.
enum class Regime { kContract, kCold, kSustained };

/// Times of one candidate in one regime.
struct Timing {
  Regime regime = Regime::kCold;
  std::vector<double> samples_ms;  ///< one a launch (cold), or one mean a loop (contract, sustained)
  double median_ms = 0;
  int sm_clock_mhz = 0;            ///< 0: NVML gave none
  std::uint64_t throttle_reasons = 0;  ///< NVML's bits
  bool stopped_early = false;      ///< plainly slow: measuring was cut short
};

/// The check of one output against the fp64 reference. Both the contract's tolerance and the
/// per-element bound 1.01*u*|ref| + c*sqrt(K)*2^-24*P (P = |A||B|) must hold. The check of a brought
/// problem joins all its outputs (croq_runner/problem_bound.h has their bound).
struct Check {
  bool passed = false;
  std::int64_t nan_count = 0;
  std::int64_t inf_count = 0;
  std::int64_t over_bound = 0;     ///< elements outside the bound
  double max_abs_err = 0;
  double worst_ratio = 0;          ///< error over bound, the largest
  std::int64_t worst_row = 0;      ///< index over the last dimension's length, and the rest
  std::int64_t worst_column = 0;
  std::int64_t guard_bytes_changed = 0;  ///< written just before or after the output
  std::string output_hash;
  std::string tensor;              ///< of the worst element; empty for a matmul's C
};

/// Candidate against reference, timed in interleaved pairs: ratios are reference time over
/// candidate time, so above 1 the candidate is faster.
struct Duel {
  std::vector<double> candidate_ms;
  std::vector<double> reference_ms;
};

inline double Tflops(double flops, double ms) { return ms > 0 ? flops / ms / 1e9 : 0; }

}  // namespace croq
