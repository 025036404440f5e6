#include "croq_runner/cublas.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <limits>

namespace croq::runner {
namespace {

using Handle = void*;
constexpr int kGemmDefaultTensorOp = 99;  // CUBLAS_GEMM_DEFAULT_TENSOR_OP
constexpr int kDefaultMath = 0;           // CUBLAS_DEFAULT_MATH
constexpr int kTf32TensorOpMath = 3;      // CUBLAS_TF32_TENSOR_OP_MATH

}  // namespace

Result<ColumnMajorGemm> ToColumnMajor(const ShapeKey& shape) {
  constexpr std::int64_t kLimit = std::numeric_limits<int>::max();
  if (shape.m > kLimit || shape.n > kLimit || shape.k > kLimit) {
    return Failure(fmt::format("{} is beyond cuBLAS's 32-bit dimensions", shape.text));
  }
  ColumnMajorGemm gemm;
  gemm.m = static_cast<int>(shape.n);
  gemm.n = static_cast<int>(shape.m);
  gemm.k = static_cast<int>(shape.k);
  // B [K,N] read by columns is B' [N,K]; B stored as [N,K] reads as [K,N] and is transposed back.
  const bool transposed = shape.BIsNk();
  gemm.first_operation = transposed ? kCublasOpT : kCublasOpN;
  gemm.lda = transposed ? gemm.k : gemm.m;
  gemm.ldb = gemm.k;
  gemm.ldc = gemm.m;
  return gemm;
}

namespace {

int TypeNamed(std::string_view triton) {
  if (triton == "fp16") return kCudaR16F;
  if (triton == "bf16") return kCudaR16Bf;
  if (triton == "fp8e4nv") return kCudaR8FE4M3;
  return kCudaR32F;
}

}  // namespace

int OperandTypeOf(DType dtype) { return TypeNamed(FactsOf(dtype).operand.triton); }

int ResultTypeOf(DType dtype) { return TypeNamed(FactsOf(dtype).result.triton); }

Result<void*> OpenLibrary(const std::string& path, bool global) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (library != nullptr) return library;
  const char* why = ::dlerror();
  return Failure(fmt::format("{} could not be opened: {}", path, why != nullptr ? why : ""));
}

Result<void*> FindFunction(void* library, const std::string& path, const char* symbol) {
  void* address = ::dlsym(library, symbol);
  if (address != nullptr) return address;
  return Failure(fmt::format("{} has no {}", path, symbol));
}

struct Cublas::Api {
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*set_stream)(Handle, CUstream) = nullptr;
  int (*set_workspace)(Handle, void*, std::size_t) = nullptr;
  int (*set_math_mode)(Handle, int) = nullptr;
  /// handle, op(A), op(B), m, n, k, alpha, A, type, lda, B, type, ldb, beta, C, type, ldc, compute
  /// type, algorithm.
  int (*gemm_ex)(Handle, int, int, int, int, int, const void*, const void*, int, int, const void*,
                 int, int, const void*, void*, int, int, int, int) = nullptr;
  int (*sgemm)(Handle, int, int, int, int, int, const float*, const float*, int, const float*, int,
               const float*, float*, int) = nullptr;
  const char* (*status_name)(int) = nullptr;
  Handle handle = nullptr;
};

Cublas::Cublas() : api_(std::make_unique<Api>()) {}

Cublas::~Cublas() {
  if (api_->handle != nullptr) api_->destroy(api_->handle);
}

Status Cublas::Check(int status, const char* call) const {
  if (status == 0) return {};
  return Failure(fmt::format("{}: {}", call, api_->status_name(status)));
}

Result<std::unique_ptr<Cublas>> Cublas::Create(const std::string& path, const ShapeKey& shape,
                                               CUdeviceptr workspace,
                                               std::size_t workspace_bytes) {
  CROQ_ASSIGN(void* library, OpenLibrary(path, false));
  std::unique_ptr<Cublas> cublas(new Cublas());
  Api& api = *cublas->api_;
  CROQ_TRY(Resolve(library, path, "cublasCreate_v2", &api.create));
  CROQ_TRY(Resolve(library, path, "cublasDestroy_v2", &api.destroy));
  CROQ_TRY(Resolve(library, path, "cublasSetStream_v2", &api.set_stream));
  CROQ_TRY(Resolve(library, path, "cublasSetWorkspace_v2", &api.set_workspace));
  CROQ_TRY(Resolve(library, path, "cublasSetMathMode", &api.set_math_mode));
  CROQ_TRY(Resolve(library, path, "cublasGemmEx", &api.gemm_ex));
  CROQ_TRY(Resolve(library, path, "cublasSgemm_v2", &api.sgemm));
  CROQ_TRY(Resolve(library, path, "cublasGetStatusName", &api.status_name));
  CROQ_ASSIGN(cublas->gemm_, ToColumnMajor(shape));
  cublas->dtype_ = shape.dtype;
  cublas->workspace_ = workspace;
  cublas->workspace_bytes_ = workspace_bytes;
  CROQ_TRY(cublas->Check(api.create(&api.handle), "cublasCreate"));
  const int math = shape.dtype == DType::kTf32Fp32 ? kTf32TensorOpMath : kDefaultMath;
  CROQ_TRY(cublas->Check(api.set_math_mode(api.handle, math), "cublasSetMathMode"));
  return cublas;
}

Status Cublas::Bind(CUstream stream) {
  if (is_bound_ && bound_ == stream) return {};
  CROQ_TRY(Check(api_->set_stream(api_->handle, stream), "cublasSetStream"));
  // Setting the stream puts the handle back to cuBLAS's own workspace.
  CROQ_TRY(Check(api_->set_workspace(api_->handle, Pointer(workspace_), workspace_bytes_),
                 "cublasSetWorkspace"));
  bound_ = stream;
  is_bound_ = true;
  return {};
}

Status Cublas::Matmul(CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, CUstream stream) {
  CROQ_TRY(Bind(stream));
  const float one = 1;
  const float zero = 0;
  const ColumnMajorGemm& g = gemm_;
  if (OperandTypeOf(dtype_) == kCudaR32F) {
    return Check(api_->sgemm(api_->handle, g.first_operation, kCublasOpN, g.m, g.n, g.k, &one,
                             static_cast<const float*>(Pointer(b)), g.lda,
                             static_cast<const float*>(Pointer(a)), g.ldb, &zero,
                             static_cast<float*>(Pointer(c)), g.ldc),
                 "cublasSgemm");
  }
  const int type = OperandTypeOf(dtype_);
  return Check(api_->gemm_ex(api_->handle, g.first_operation, kCublasOpN, g.m, g.n, g.k, &one,
                             Pointer(b), type, g.lda, Pointer(a), type, g.ldb, &zero, Pointer(c),
                             type, g.ldc, kCublasCompute32F, kGemmDefaultTensorOp),
               "cublasGemmEx");
}

}  // namespace croq::runner
