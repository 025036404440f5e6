#pragma once

#include <cuda.h>

#include <cstddef>
#include <memory>
#include <string>

#include "croq/base/result.h"
#include "croq/model/shape_key.h"

namespace croq::runner {

/// The operands of one product on the device; scales of FP8 alone.
struct LtOperands {
  CUdeviceptr a = 0;
  CUdeviceptr b = 0;
  CUdeviceptr c = 0;
  CUdeviceptr scale_a = 0;
  CUdeviceptr scale_b = 0;
};

/// One matmul of libcublasLt with the answers of its heuristic. FP8 has a scale a tensor and fast
/// accumulation. Not thread-safe.
class CublasLt {
 public:
  /// Asks the heuristic for at most `count` answers that need no more than the workspace (256-byte
  /// aligned, must outlive it). There may be fewer, or none.
  static Result<std::unique_ptr<CublasLt>> Create(const std::string& path, const ShapeKey& shape,
                                                  CUdeviceptr workspace,
                                                  std::size_t workspace_bytes, int count);
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  int answers() const;  ///< best first, as cublasLt ranks them

  /// C = A.B by answer `index`. Asynchronous.
  Status Matmul(int index, const LtOperands& operands, CUstream stream);

 private:
  struct Api;
  struct State;
  CublasLt();
  Status Describe(const ShapeKey& shape);
  Status Set(int attribute, const void* value, std::size_t bytes, const char* name);
  Status Ask(int count);
  Status Check(int status, const char* call) const;

  std::unique_ptr<Api> api_;
  std::unique_ptr<State> state_;
};

}  // namespace croq::runner
