#pragma once

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/device.h"
#include "croq/model/measurement.h"
#include "croq/model/runner_messages.h"
#include "croq_runner/device_kernels.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"

namespace croq::runner {

/// How many input sets to make and what they take.
struct SetPlan {
  int sets = 0;
  std::int64_t bytes_per_set = 0;  ///< a, b and c, without guards
};

/// Enough sets that all of them together exceed twice the L2, so that a set is never found in the
/// cache when its turn comes again; at least 3. With less memory, at least 2 (where `relaxed`, which
/// then need not exceed the L2). Error: what is needed and what is free.
Result<SetPlan> PlanSets(const ShapeKey& shape, std::int64_t l2_bytes, std::int64_t free_bytes);

/// A, B and C of one problem, in several sets, with the fp64 references of its checks. Every set has
/// its own content (element i of operand o of set s is a pure function of seed, s, o and i).
/// The context must be current on the calling thread. Not thread-safe.
class Operands {
 public:
  static Result<std::unique_ptr<Operands>> Create(Driver& driver, const PrepareRequest& request,
                                                  const DeviceFacts& device);

  const ShapeKey& shape() const { return request_.shape; }
  int sets() const { return static_cast<int>(sets_.size()); }
  CUdeviceptr a(int set) const { return sets_[Index(set)].a.get(); }
  CUdeviceptr b(int set) const { return sets_[Index(set)].b.get(); }
  CUdeviceptr c(int set) const { return sets_[Index(set)].c_band.get() + kGuardBytes; }
  std::int64_t a_bytes() const { return a_bytes_; }
  std::int64_t b_bytes() const { return b_bytes_; }
  std::int64_t c_bytes() const { return c_bytes_; }

  /// Device memory held now, references included.
  std::int64_t device_bytes() const;

  /// Fills C with 0xFF bytes, NaN in every dtype, so that whatever a kernel leaves out is seen.
  /// Asynchronous.
  Status PoisonOutput(int set, CUstream stream);

  /// Compares C with the set's reference (made on first use and kept, unless memory is short) after
  /// the work on `stream`, and looks at the guards around C; waits. `passed` is the verdict: no NaN,
  /// no infinity, the contract's tolerance, the bound, the guards.
  Result<Check> CheckOutput(int set, CUstream stream);

  /// Whether A and B still hold what was put in, after all work on the device; waits.
  Result<bool> InputsIntact(int set);

  /// Why a check did not pass, as a sentence; empty where it passed.
  std::string Explain(const Check& check) const;

 private:
  static constexpr std::int64_t kGuardBytes = 4096;  ///< before and after C

  struct Reference {
    DeviceBuffer values;    ///< double [M, N]
    DeviceBuffer products;  ///< float [M, N]
  };
  struct Set {
    DeviceBuffer a;
    DeviceBuffer b;
    DeviceBuffer c_band;    ///< guard, C, guard
    HashPair inputs{};
    std::optional<Reference> reference;
  };

  Operands(Driver& driver, const PrepareRequest& request) : driver_(driver), request_(request) {}
  static std::size_t Index(int set) { return static_cast<std::size_t>(set); }

  Status Initialise(const DeviceFacts& device);
  Status FillSet(int set);
  Status MakeReference(int set, CUstream stream);
  Result<Reference> AllocateReference();
  Result<HashPair> HashInputs(const Set& set);
  Result<std::int64_t> ChangedGuardBytes(const Set& set, CUstream stream);

  Driver& driver_;
  const PrepareRequest request_;
  std::int64_t a_bytes_ = 0;
  std::int64_t b_bytes_ = 0;
  std::int64_t c_bytes_ = 0;
  std::unique_ptr<DeviceKernels> kernels_;
  Stream stream_;
  std::vector<Set> sets_;
};

}  // namespace croq::runner
