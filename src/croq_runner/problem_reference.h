#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/problem.h"
#include "croq_runner/device_kernels.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/problem_bound.h"

namespace croq::runner {

/// Bytes of a tensor's reference: float32 for every floating type, else the tensor's own.
std::int64_t ReferenceBytes(const TensorSpec& tensor);

/// What one output of one input set must hold, on the device.
class TensorReference {
 public:
  /// From a file of ReferenceBytes bytes, row-major, little-endian. Errors: no such file, another
  /// size, a value that is not finite (no bound could be held against it).
  static Result<TensorReference> Load(const Driver& driver, const TensorSpec& tensor,
                                      const std::string& path);

  /// Holds the tensor at `output` against it, after the work on `stream`; waits.
  Result<CompareShare> Compare(DeviceKernels& kernels, CUdeviceptr output,
                               const ProblemBound& bound, CUstream stream) const;

  std::int64_t bytes() const {
    return static_cast<std::int64_t>(values_.bytes() + scales_.bytes());
  }

 private:
  DeviceBuffer values_;
  DeviceBuffer scales_;  ///< float, one a row; of real tensors
  Element element_ = Element::kF32;
  std::int64_t count_ = 0;
  std::int64_t columns_ = 1;  ///< elements that share a scale
};

/// The scales of problem_bound.h of `count` values in rows of `columns`.
std::vector<float> RowScales(const float* values, std::int64_t count, std::int64_t columns);

/// Elements of the tensor that share a scale: its last dimension's, or all.
std::int64_t ScaleColumns(const TensorSpec& tensor);

}  // namespace croq::runner
