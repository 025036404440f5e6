#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "croq/base/result.h"
#include "croq_runner/cuda_api.h"

namespace croq::runner {

/// libcuda, opened at run time. Its functions are members (see cuda_api.h): `driver.MemAlloc(...)`.
/// Threads may share it; it stays open until the process ends (destroying a Driver does not unload
/// the library, whose own threads may still run).
class Driver : public CudaApi {
 public:
  /// Opens $CROQ_LIBCUDA, else libcuda.so.1, resolves all functions and calls cuInit(0). Errors: no
  /// library, a function that is missing (driver older than CUDA 12), cuInit's own (no device).
  static Result<std::unique_ptr<Driver>> Open();

  /// `CUDA_ERROR_INVALID_VALUE (invalid argument)`.
  std::string Describe(CUresult result) const;

  /// Success, or an error `<what>: <Describe>`; `what` names the call and what it was for.
  Status Check(CUresult result, std::string_view what) const;

  /// True for errors after which every later call in this process fails too: the process must end.
  static bool IsSticky(CUresult result);

  int version() const { return version_; }  ///< cuDriverGetVersion: 13000 for CUDA 13.0

 private:
  Driver() = default;
  int version_ = 0;
};

}  // namespace croq::runner
