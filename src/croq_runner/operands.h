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
#include "croq_runner/guard.h"
#include "croq_runner/operand_sets.h"
#include "croq_runner/scaled_inputs.h"
#include "croq_runner/set_plan.h"

namespace croq::runner {

/// A, B and C of one problem (of FP8 their scales too), in several sets, with the fp64 references of
/// its checks. Every set
/// has its own content (element i of operand o of set s is a pure function of seed, s, o and i).
/// The context must be current on the calling thread. Not thread-safe.
class Operands : public OperandSets {
 public:
  static Result<std::unique_ptr<Operands>> Create(const Driver& driver,
                                                  const PrepareRequest& request,
                                                  const DeviceFacts& device);

  const ShapeKey& shape() const { return request_.shape; }
  int sets() const override { return static_cast<int>(sets_.size()); }
  CUdeviceptr a(int set) const { return sets_[Index(set)].a.get(); }
  CUdeviceptr b(int set) const { return sets_[Index(set)].b.get(); }
  CUdeviceptr c(int set) const { return sets_[Index(set)].c_band.get() + kGuardBytes; }
  /// 0 where the dtype has no scales.
  CUdeviceptr scale_a(int set) const { return sets_[Index(set)].scaled.scale_a.get(); }
  CUdeviceptr scale_b(int set) const { return sets_[Index(set)].scaled.scale_b.get(); }
  /// What the bar multiplies: A and B, or of blockscale_gemm their dequantised copies.
  CUdeviceptr bar_a(int set) const;
  CUdeviceptr bar_b(int set) const;
  std::int64_t a_bytes() const { return plan_.a_bytes; }
  std::int64_t b_bytes() const { return plan_.b_bytes; }
  std::int64_t c_bytes() const { return plan_.c_bytes; }

  std::int64_t device_bytes() const override;
  OperandPlaces Places() const override;

  /// Fills C with 0xFF bytes, NaN in every dtype.
  Status PoisonOutput(int set, CUstream stream) override;

  /// The reference is made on first use and kept, unless memory is short.
  bool Checkable(int /*set*/) const override { return true; }
  /// No NaN, no infinity, the contract's tolerance, the bound, the guards.
  Result<Check> CheckOutput(int set, CUstream stream) override;
  std::string Explain(const Check& check) const override;

  Result<std::optional<ChangedInput>> FirstChanged(int first, int count) override;

 private:
  struct Reference {
    DeviceBuffer values;    ///< double [M, N]
    DeviceBuffer products;  ///< float [M, N]
  };
  struct Set {
    DeviceBuffer a;
    DeviceBuffer b;
    DeviceBuffer c_band;    ///< guard, C, guard
    ScaledInputs scaled;
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
  ReferenceParams ParamsOfReference(int set) const;
  /// What a candidate must leave as it is.
  static std::vector<const DeviceBuffer*> InputsOf(const Set& set);
  Result<std::vector<HashPair>> HashInputs(int first, int count);
  Result<std::int64_t> ChangedGuardBytes(const Set& set, CUstream stream);

  const Driver& driver_;
  const PrepareRequest request_;
  SetPlan plan_;
  std::unique_ptr<DeviceKernels> kernels_;
  Stream stream_;
  DeviceBuffer sums_;         ///< one HashPair an input and set
  std::vector<Set> sets_;
};

}  // namespace croq::runner
