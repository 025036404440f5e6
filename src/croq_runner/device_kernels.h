#pragma once

#include <cuda.h>

#include <cstdint>
#include <memory>

#include "croq/base/result.h"
#include "croq/model/dtype.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/kernel_params.h"

namespace croq::runner {

/// Of A and B, and of C.
Element OperandElement(DType dtype);
Element ResultElement(DType dtype);

/// The runner's own kernels (kernels.cu), loaded from the embedded PTX into the current context.
/// Fill, Draw, Reference, Dequantise and Hash are asynchronous; the others wait for the stream and return what was
/// found.
class DeviceKernels {
 public:
  /// The driver compiles the PTX at the first load on a machine (a few tenths of a second) and
  /// keeps the result in its cache.
  static Result<std::unique_ptr<DeviceKernels>> Load(const Driver& driver);

  Status Fill(const FillParams& params, CUstream stream);
  Status Draw(const DrawParams& params, CUstream stream);
  Status Reference(const ReferenceParams& params, CUstream stream);
  Status Dequantise(const DequantiseParams& params, CUstream stream);
  /// `shares` of the parameters is set here.
  Result<CompareShare> Compare(CompareParams params, CUstream stream);
  Result<CompareShare> Check(CheckParams params, CUstream stream);
  Status Hash(const HashParams& params, CUstream stream);
  /// `changed` of the parameters is set here.
  Result<std::int64_t> ChangedBytes(GuardParams params, CUstream stream);

 private:
  explicit DeviceKernels(const Driver& driver) : driver_(driver) {}
  Status Launch(CUfunction function, std::int64_t blocks, int threads, void* params,
                CUstream stream, const char* what);
  /// Launches a kernel that writes one CompareShare a block to scratch, and joins them.
  Result<CompareShare> Shares(CUfunction function, std::uint64_t count, void* params,
                              CUstream stream, const char* what);
  /// Copies `bytes` of scratch to the pinned buffer and waits.
  Status Collect(std::size_t bytes, CUstream stream, const char* what);

  const Driver& driver_;
  Module module_;
  CUfunction fill_ = nullptr;
  CUfunction draw_ = nullptr;
  CUfunction reference_ = nullptr;
  CUfunction dequantise_ = nullptr;
  CUfunction compare_ = nullptr;
  CUfunction check_ = nullptr;
  CUfunction hash_ = nullptr;
  CUfunction guard_ = nullptr;
  DeviceBuffer scratch_;
  PinnedBuffer pinned_;
};

}  // namespace croq::runner
