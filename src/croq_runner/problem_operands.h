#pragma once

#include <cuda.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/check.h"
#include "croq/base/result.h"
#include "croq/model/device.h"
#include "croq/model/runner_messages.h"
#include "croq_runner/device_kernels.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/guard.h"
#include "croq_runner/operand_sets.h"
#include "croq_runner/problem_reference.h"

namespace croq::runner {

/// The tensors of a brought problem in several input sets. Element i of tensor t of set s is a pure
/// function of seed, s, t and i (draw.h). Outputs and in-place tensors lie between guards; an
/// in-place tensor has a second, pristine copy, from which each launch is given it anew. References
/// come from files, one set at a time; what has none is not checked. The context must be current on
/// the calling thread. Not thread-safe.
class ProblemOperands : public OperandSets {
 public:
  /// `request` must hold a problem.
  static Result<std::unique_ptr<ProblemOperands>> Create(const Driver& driver,
                                                         const PrepareRequest& request,
                                                         const DeviceFacts& device);

  /// The requests of the same name; both wait.
  Result<InputsReply> WriteInputs(const InputsRequest& request);
  Result<ReferencesReply> SetReferences(const ReferencesRequest& request);

  int sets() const override { return static_cast<int>(sets_.size()); }
  std::int64_t device_bytes() const override;
  OperandPlaces Places() const override;
  /// 0xFF bytes, which are NaN in every floating type; 0xA5 in others, where -1 is often right.
  Status PoisonOutput(int set, CUstream stream) override;
  bool HasInPlace() const override { return flush_.bytes() > 0; }
  Status Restore(int set, CUstream stream) override;
  Status FlushCache(CUstream stream) override;
  bool Checkable(int set) const override;
  Result<Check> CheckOutput(int set, CUstream stream) override;
  std::string Explain(const Check& check) const override;
  Result<std::optional<ChangedInput>> FirstChanged(int first, int count) override;

 private:
  struct Tensor {
    DeviceBuffer band;      ///< guard, tensor, guard
    DeviceBuffer pristine;  ///< of an in-place tensor
    HashPair inputs{};      ///< of what must not change: an input, a pristine copy
  };
  struct Set {
    std::vector<Tensor> tensors;              ///< as in the problem
    std::vector<TensorReference> references;  ///< of the written tensors, in order; or none
  };

  ProblemOperands(const Driver& driver, const PrepareRequest& request)
      : driver_(driver), request_(request), problem_(*request.problem) {}

  const Set& At(int set) const {
    CROQ_CHECK(set >= 0 && set < sets());
    return sets_[static_cast<std::size_t>(set)];
  }
  static CUdeviceptr AddressOf(const Tensor& tensor) { return tensor.band.get() + kGuardBytes; }
  /// What must stay as it is.
  CUdeviceptr KeptOf(const Set& set, std::size_t tensor) const;
  Status CheckSet(int set) const;

  Status Initialise(const DeviceFacts& device);
  Result<int> PlanSetCount(const DeviceFacts& device) const;
  Result<Set> MakeSet(int set);
  Status Fill(int set, std::size_t tensor, CUdeviceptr target);
  ProblemBound BoundOf(const TensorSpec& spec) const;
  Result<std::vector<HashPair>> HashKept(int first, int count);
  Result<std::int64_t> ChangedGuardBytes(const Tensor& tensor, std::int64_t bytes,
                                         CUstream stream);

  const Driver& driver_;
  const PrepareRequest request_;
  const Problem problem_;
  std::unique_ptr<DeviceKernels> kernels_;
  Stream stream_;
  DeviceBuffer sums_;   ///< one HashPair a tensor and set, and one for FlushCache
  DeviceBuffer flush_;  ///< twice the L2, where there are in-place tensors
  std::vector<Set> sets_;
};

}  // namespace croq::runner
