#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "croq/model/device.h"
#include "croq/model/launch_plan.h"
#include "croq/model/measurement.h"
#include "croq/model/outcome.h"
#include "croq/model/problem.h"
#include "croq/model/shape_key.h"

/// What the engine asks of croq-runner and what it answers. The protocol module puts these on the
/// wire; the tune module speaks them to whatever implements tune::Runner.
namespace croq {

/// Asked once after the start: opens device `ordinal`, makes the context.
struct OpenRequest {
  int ordinal = 0;
};

struct OpenReply {
  DeviceFacts device;
  bool nvml = false;            ///< clocks and throttle reasons can be read
};

/// Where the interpreter's own torch keeps the libraries of the baseline; empty: not found.
struct BaselineLibraries {
  std::string cublas;           ///< absolute path of libcublas.so.N
  std::string cublas_lt;
};

/// Allocates the operands (sets rotated over more than twice the L2), fills them from the seed.
/// A matmul's references are made when a check first needs them; those of a brought problem come by
/// ReferencesRequest, before the first trial.
struct PrepareRequest {
  ShapeKey shape;
  std::uint64_t seed = 0;
  double max_abs_tolerance = 0;  ///< the contract's, for this dtype
  double bound_constant = 8;     ///< c of the per-element bound
  BaselineLibraries libraries;
  /// A brought problem: of `shape` only the text counts then, there is no cuBLAS to compare with,
  /// and a plan's buffers are matched to the problem's tensors by name.
  std::optional<Problem> problem;
};

struct PrepareReply {
  int input_sets = 0;
  std::int64_t device_bytes = 0;
  double input_ms = 0;           ///< wall
  std::string baseline_problem;  ///< why there is no cuBLAS here; empty where there is
  std::string baseline_kernel;   ///< name of the kernel cuBLAS launches, as the driver names it
  double copy_gbps = 0;          ///< bytes read and written a second (1e9) by a device-to-device
                                 ///< copy over more than twice the L2; 0: not measured
};

/// Writes the bytes of every input and in-place tensor of one set to `<folder>/<name>.bin`, as they
/// lie in device memory (row-major, little-endian).
struct InputsRequest {
  int set = 0;
  std::string folder;            ///< absolute, exists
};

struct InputsReply {
  std::int64_t bytes = 0;        ///< written in all
};

/// Takes the reference of one set from `<folder>/<name>.bin` for every output and in-place tensor:
/// float32 for tensors of any floating type, else the tensor's own type. Sets that have none are
/// never checked; set 0 must have one before the first trial.
struct ReferencesRequest {
  int set = 0;
  std::string folder;            ///< absolute
};

struct ReferencesReply {
  std::int64_t bytes = 0;        ///< of device memory
};

/// Cold-regime screening of one candidate: load, check (poisoned output), time.
struct TrialRequest {
  LaunchPlan plan;
  int warmup = 2;
  int samples = 10;              ///< cold samples wanted
  double stop_above_ms = 0;      ///< plainly slow: stop once the fastest of the first launches is
                                 ///< above it; 0: never
  double halve_above_ms = 0;     ///< hardly the best: stop once the fastest of the first three samples
                                 ///< is above it; 0: never
  double deadline_ms = 2000;     ///< for one launch; past it the outcome is timeout
  bool check_all_sets = false;   ///< every input set, not the first alone; of a brought problem
                                 ///< those that have a reference
};

struct TrialReply {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  bool sticky = false;           ///< the context is lost: the runner exits after this reply
  std::optional<Check> check;
  std::optional<Timing> timing;
  double wall_ms = 0;
  double load_ms = 0;            ///< of wall_ms: the plan made ready on the device
  double check_ms = 0;           ///< of it: poison, a launch, the comparison, inputs unchanged
  double timing_ms = 0;          ///< of it: the timed launches
};

/// The reference of a duel: another plan, or cuBLAS, or cublasLt's best heuristic.
enum class DuelReference { kPlan, kCublas, kCublasLtBest };

/// Interleaved pairs in the cold regime, the order alternating from pair to pair.
struct DuelRequest {
  LaunchPlan candidate;
  DuelReference reference = DuelReference::kCublas;
  LaunchPlan reference_plan;     ///< where reference is kPlan
  int warmup = 3;
  int min_pairs = 20;
  int max_pairs = 200;
  double max_wall_ms = 2000;
  double deadline_ms = 5000;
};

struct DuelReply {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  bool sticky = false;
  Duel duel;
  int sm_clock_mhz = 0;
  std::uint64_t throttle_reasons = 0;
};

/// Whom to time in one regime.
struct TimeRequest {
  DuelReference subject = DuelReference::kPlan;
  LaunchPlan plan;               ///< where subject is kPlan
  Regime regime = Regime::kContract;
  double deadline_ms = 5000;
};

struct TimeReply {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  bool sticky = false;
  Timing timing;
};

/// Finds cublasLt's fastest of its first `count` heuristics for the shape, once.
struct HeuristicsRequest {
  int count = 8;
};

struct HeuristicsReply {
  std::string problem;           ///< empty where it worked
  int tried = 0;
  int best = 0;                  ///< index of the fastest
  double first_ms = 0;           ///< cold medians
  double best_ms = 0;
};

}  // namespace croq
