#pragma once

#include <cuda.h>

#include <cstddef>
#include <memory>
#include <string>

#include "croq/base/result.h"
#include "croq/model/shape_key.h"

namespace croq::runner {

/// A row-major product as column-major cuBLAS sees it: C'[N,M] = op(B')[N,K] A'[K,M], where X' is X
/// read column by column. So cuBLAS's first operand is B, its second A.
struct ColumnMajorGemm {
  int m = 0;             ///< rows of C': our N
  int n = 0;             ///< columns of C': our M
  int k = 0;
  int first_operation = 0;  ///< kCublasOpN or kCublasOpT, of B'
  int lda = 0;           ///< leading dimension of B'
  int ldb = 0;           ///< of A'
  int ldc = 0;
};

/// Error where a dimension is above 2^31 - 1 (cuBLAS's int interface).
Result<ColumnMajorGemm> ToColumnMajor(const ShapeKey& shape);

// Constants of cublas_api.h and library_types.h (cuBLAS 11 to 13), by value because these headers
// are not there where croq is built.
inline constexpr int kCublasOpN = 0;
inline constexpr int kCublasOpT = 1;
inline constexpr int kCudaR32F = 0;
inline constexpr int kCudaR16F = 2;
inline constexpr int kCudaR16Bf = 14;
inline constexpr int kCudaR8FE4M3 = 28;
inline constexpr int kCublasCompute32F = 68;
inline constexpr int kCublasCompute32FFastTf32 = 77;

/// cudaDataType of the elements of A and B, and of C.
int OperandTypeOf(DType dtype);
int ResultTypeOf(DType dtype);

/// Opens a shared library and keeps it open until the process ends. `global` makes its symbols
/// available to libraries opened later.
Result<void*> OpenLibrary(const std::string& path, bool global);

/// The function of that name, as an address; error where the library has none.
Result<void*> FindFunction(void* library, const std::string& path, const char* symbol);

template <typename Function>
Status Resolve(void* library, const std::string& path, const char* symbol, Function* function) {
  CROQ_ASSIGN(void* address, FindFunction(library, path, symbol));
  *function = reinterpret_cast<Function>(address);
  return {};
}

inline void* Pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// One handle of libcublas. Not thread-safe.
class Cublas {
 public:
  /// `workspace` (256-byte aligned) must outlive it. The context must be current.
  static Result<std::unique_ptr<Cublas>> Create(const std::string& path, const ShapeKey& shape,
                                                CUdeviceptr workspace, std::size_t workspace_bytes);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  /// C = A.B of the shape, as torch.matmul asks for it. Asynchronous.
  Status Matmul(CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, CUstream stream);

 private:
  struct Api;
  Cublas();
  Status Bind(CUstream stream);
  Status Check(int status, const char* call) const;

  std::unique_ptr<Api> api_;
  ColumnMajorGemm gemm_;
  DType dtype_ = DType::kF16Fp32;
  CUdeviceptr workspace_ = 0;
  std::size_t workspace_bytes_ = 0;
  CUstream bound_ = nullptr;
  bool is_bound_ = false;
};

}  // namespace croq::runner
