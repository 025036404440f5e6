#pragma once

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/check.h"
#include "croq/base/result.h"
#include "croq/model/device.h"
#include "croq/model/measurement.h"
#include "croq/model/runner_messages.h"
#include "croq_runner/device_kernels.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/set_plan.h"

namespace croq::runner {

/// A, B and C of one problem, in several sets, with the fp64 references of its checks. Every set
/// has its own content (element i of operand o of set s is a pure function of seed, s, o and i).
/// The context must be current on the calling thread. Not thread-safe.
class Operands {
 public:
  static Result<std::unique_ptr<Operands>> Create(const Driver& driver,
                                                  const PrepareRequest& request,
                                                  const DeviceFacts& device);

  const ShapeKey& shape() const { return request_.shape; }
  int sets() const { return static_cast<int>(sets_.size()); }
  CUdeviceptr a(int set) const { return sets_[Index(set)].a.get(); }
  CUdeviceptr b(int set) const { return sets_[Index(set)].b.get(); }
  CUdeviceptr c(int set) const { return sets_[Index(set)].c_band.get() + kGuardBytes; }
  std::int64_t a_bytes() const { return plan_.a_bytes; }
  std::int64_t b_bytes() const { return plan_.b_bytes; }
  std::int64_t c_bytes() const { return plan_.c_bytes; }

  /// Device memory held now, references included.
  std::int64_t device_bytes() const;

  /// Fills C with 0xFF bytes, NaN in every dtype, so that whatever a kernel leaves out is seen.
  /// Asynchronous.
  Status PoisonOutput(int set, CUstream stream);

  /// Compares C with the set's reference (made on first use and kept, unless memory is short) after
  /// the work on `stream`, and looks at the guards around C; waits. `passed` is the verdict: no
  /// NaN, no infinity, the contract's tolerance, the bound, the guards.
  Result<Check> CheckOutput(int set, CUstream stream);

  /// Whether A and B of the set still hold what was put in, after all work on the device; waits.
  Result<bool> InputsIntact(int set);

  /// The first set of which A or B was changed, if any. One wait for all sets, so much cheaper than
  /// asking for each.
  Result<std::optional<int>> FirstChangedSet();

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

  Operands(const Driver& driver, const PrepareRequest& request)
      : driver_(driver), request_(request) {}
  /// Aborts on a set that does not exist: sets are never named by a candidate.
  std::size_t Index(int set) const {
    CROQ_CHECK(set >= 0 && set < sets());
    return static_cast<std::size_t>(set);
  }

  Status Initialise(const DeviceFacts& device);
  Result<Set> MakeSet(int set);
  Result<const Reference*> ReferenceOf(int set, CUstream stream);
  Result<Reference> AllocateReference();
  Result<std::vector<HashPair>> HashInputs(int first, int count);
  Result<std::optional<int>> FirstChanged(int first, int count);
  Result<std::int64_t> ChangedGuardBytes(const Set& set, CUstream stream);

  const Driver& driver_;
  const PrepareRequest request_;
  SetPlan plan_;
  std::unique_ptr<DeviceKernels> kernels_;
  Stream stream_;
  DeviceBuffer sums_;         ///< HashPair of A and of B of every set
  std::vector<Set> sets_;
};

}  // namespace croq::runner
