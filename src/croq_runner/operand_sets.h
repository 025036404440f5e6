#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/measurement.h"

namespace croq::runner {

/// One operand in every input set; a plan's buffer of that name must have that size.
struct OperandPlace {
  std::string name;
  std::int64_t bytes = 0;
  std::vector<CUdeviceptr> sets;
};

/// All operands of the problem.
struct OperandPlaces {
  int sets = 0;
  std::vector<OperandPlace> operands;
};

/// An input that does not hold what was put in.
struct ChangedInput {
  int set = 0;
  std::string name;
};

/// The operands of one problem, in several input sets, and the checks of its outputs: of a matmul
/// (Operands) or of a brought problem (ProblemOperands). Asynchronous where a stream is taken,
/// unless it says that it waits.
class OperandSets {
 public:
  virtual ~OperandSets() = default;

  virtual int sets() const = 0;
  /// Device memory held now, references included.
  virtual std::int64_t device_bytes() const = 0;
  virtual OperandPlaces Places() const = 0;

  /// Fills the outputs so that whatever a kernel leaves out is seen.
  virtual Status PoisonOutput(int set, CUstream stream) = 0;

  /// Whether a launch reads what it overwrites: then Restore must come before each.
  virtual bool HasInPlace() const { return false; }
  /// Gives the in-place tensors their first contents back.
  virtual Status Restore(int /*set*/, CUstream /*stream*/) { return {}; }
  /// Fills the L2 with other data, after which a restored tensor is cold again.
  virtual Status FlushCache(CUstream /*stream*/) { return {}; }

  /// Whether there is, or can be made, a reference to hold the set's outputs against.
  virtual bool Checkable(int set) const = 0;
  /// Compares the outputs with the set's reference after the work on `stream`, and looks at the
  /// guards around them; waits. `passed` is the verdict.
  virtual Result<Check> CheckOutput(int set, CUstream stream) = 0;
  /// Why a check did not pass, as a sentence; empty where it passed.
  virtual std::string Explain(const Check& check) const = 0;

  /// The first input of the sets `first` to `first` + `count` - 1 that was changed, after all work
  /// on the device; waits, once for all of them.
  virtual Result<std::optional<ChangedInput>> FirstChanged(int first, int count) = 0;
};

}  // namespace croq::runner
