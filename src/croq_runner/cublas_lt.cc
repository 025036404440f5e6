#include "croq_runner/cublas_lt.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "croq_runner/cublas.h"

namespace croq::runner {
namespace {

// From cublasLt.h (11.4 to 13): handles and descriptors are opaque pointers, a status is an int
// with 0 for success, and these are values of cublasLtMatmulDescAttributes_t and
// cublasLtMatmulPreferenceAttributes_t.
using Opaque = void*;
constexpr int kDescTransA = 3;
constexpr int kDescTransB = 4;
constexpr int kDescAScalePointer = 17;
constexpr int kDescBScalePointer = 18;
constexpr int kDescFastAccum = 25;
constexpr int kPrefMaxWorkspaceBytes = 1;

/// cublasLtMatmulAlgo_t.
struct Algorithm {
  std::uint64_t data[8];
};

/// cublasLtMatmulHeuristicResult_t.
struct HeuristicResult {
  Algorithm algorithm;
  std::size_t workspace_bytes;
  int state;
  float waves;
  int reserved[4];
};
static_assert(sizeof(HeuristicResult) == 96);

}  // namespace

struct CublasLt::Api {
  int (*create)(Opaque*) = nullptr;
  int (*destroy)(Opaque) = nullptr;
  int (*desc_create)(Opaque*, int compute_type, int scale_type) = nullptr;
  int (*desc_destroy)(Opaque) = nullptr;
  int (*desc_set)(Opaque, int attribute, const void*, std::size_t) = nullptr;
  int (*layout_create)(Opaque*, int type, std::uint64_t rows, std::uint64_t columns,
                       std::int64_t leading) = nullptr;
  int (*layout_destroy)(Opaque) = nullptr;
  int (*preference_create)(Opaque*) = nullptr;
  int (*preference_destroy)(Opaque) = nullptr;
  int (*preference_set)(Opaque, int attribute, const void*, std::size_t) = nullptr;
  int (*heuristic)(Opaque handle, Opaque desc, Opaque a, Opaque b, Opaque c, Opaque d,
                   Opaque preference, int wanted, HeuristicResult*, int* found) = nullptr;
  int (*matmul)(Opaque handle, Opaque desc, const void* alpha, const void* a, Opaque a_layout,
                const void* b, Opaque b_layout, const void* beta, const void* c, Opaque c_layout,
                void* d, Opaque d_layout, const Algorithm*, void* workspace, std::size_t,
                CUstream) = nullptr;
  const char* (*status_name)(int) = nullptr;
};

struct CublasLt::State {
  Opaque handle = nullptr;
  Opaque desc = nullptr;
  Opaque first = nullptr;   ///< layout of B', see ColumnMajorGemm
  Opaque second = nullptr;  ///< of A'
  Opaque result = nullptr;  ///< of C'
  std::vector<HeuristicResult> answers;
  CUdeviceptr workspace = 0;
  std::size_t workspace_bytes = 0;
};

CublasLt::CublasLt() : api_(std::make_unique<Api>()), state_(std::make_unique<State>()) {}

CublasLt::~CublasLt() {
  for (const Opaque layout : {state_->first, state_->second, state_->result}) {
    if (layout != nullptr) api_->layout_destroy(layout);
  }
  if (state_->desc != nullptr) api_->desc_destroy(state_->desc);
  if (state_->handle != nullptr) api_->destroy(state_->handle);
}

Status CublasLt::Check(int status, const char* call) const {
  if (status == 0) return {};
  return Failure(fmt::format("{}: {}", call, api_->status_name(status)));
}

Result<std::unique_ptr<CublasLt>> CublasLt::Create(const std::string& path, const ShapeKey& shape,
                                                   CUdeviceptr workspace,
                                                   std::size_t workspace_bytes, int count) {
  CROQ_ASSIGN(void* library, OpenLibrary(path, true));
  std::unique_ptr<CublasLt> lt(new CublasLt());
  Api& api = *lt->api_;
  CROQ_TRY(Resolve(library, path, "cublasLtCreate", &api.create));
  CROQ_TRY(Resolve(library, path, "cublasLtDestroy", &api.destroy));
  CROQ_TRY(Resolve(library, path, "cublasLtMatmulDescCreate", &api.desc_create));
  CROQ_TRY(Resolve(library, path, "cublasLtMatmulDescDestroy", &api.desc_destroy));
  CROQ_TRY(Resolve(library, path, "cublasLtMatmulDescSetAttribute", &api.desc_set));
  CROQ_TRY(Resolve(library, path, "cublasLtMatrixLayoutCreate", &api.layout_create));
  CROQ_TRY(Resolve(library, path, "cublasLtMatrixLayoutDestroy", &api.layout_destroy));
  CROQ_TRY(Resolve(library, path, "cublasLtMatmulPreferenceCreate", &api.preference_create));
  CROQ_TRY(Resolve(library, path, "cublasLtMatmulPreferenceDestroy", &api.preference_destroy));
  CROQ_TRY(Resolve(library, path, "cublasLtMatmulPreferenceSetAttribute", &api.preference_set));
  CROQ_TRY(Resolve(library, path, "cublasLtMatmulAlgoGetHeuristic", &api.heuristic));
  CROQ_TRY(Resolve(library, path, "cublasLtMatmul", &api.matmul));
  CROQ_TRY(Resolve(library, path, "cublasLtGetStatusName", &api.status_name));
  lt->state_->workspace = workspace;
  lt->state_->workspace_bytes = workspace_bytes;
  CROQ_TRY(lt->Describe(shape));
  CROQ_TRY(lt->Ask(count));
  return lt;
}

Status CublasLt::Describe(const ShapeKey& shape) {
  CROQ_ASSIGN(const ColumnMajorGemm gemm, ToColumnMajor(shape));
  const int type = OperandTypeOf(shape.dtype);
  const int compute =
      shape.dtype == DType::kTf32Fp32 ? kCublasCompute32FFastTf32 : kCublasCompute32F;
  State& s = *state_;
  CROQ_TRY(Check(api_->create(&s.handle), "cublasLtCreate"));
  CROQ_TRY(Check(api_->desc_create(&s.desc, compute, kCudaR32F), "cublasLtMatmulDescCreate"));
  const int first = gemm.first_operation;
  const int second = kCublasOpN;
  CROQ_TRY(Set(kDescTransA, &first, sizeof(first), "TRANSA"));
  CROQ_TRY(Set(kDescTransB, &second, sizeof(second), "TRANSB"));
  if (FactsOf(shape.dtype).scaled) {
    const std::int8_t fast = 1;
    CROQ_TRY(Set(kDescFastAccum, &fast, sizeof(fast), "FAST_ACCUM"));
  }
  const auto layout = [&](Opaque* target, int element, int rows, int columns, int leading) {
    return Check(api_->layout_create(target, element, static_cast<std::uint64_t>(rows),
                                     static_cast<std::uint64_t>(columns), leading),
                 "cublasLtMatrixLayoutCreate");
  };
  // A layout is that of memory, before the operation.
  const bool transposed = first == kCublasOpT;
  CROQ_TRY(layout(&s.first, type, transposed ? gemm.k : gemm.m, transposed ? gemm.m : gemm.k, gemm.lda));
  CROQ_TRY(layout(&s.second, type, gemm.k, gemm.n, gemm.ldb));
  return layout(&s.result, ResultTypeOf(shape.dtype), gemm.m, gemm.n, gemm.ldc);
}

Status CublasLt::Set(int attribute, const void* value, std::size_t bytes, const char* name) {
  const int status = api_->desc_set(state_->desc, attribute, value, bytes);
  if (status == 0) return {};
  return Failure(fmt::format("cublasLtMatmulDescSetAttribute of {}: {}", name,
                             api_->status_name(status)));
}

Status CublasLt::Ask(int count) {
  State& s = *state_;
  Opaque preference = nullptr;
  CROQ_TRY(Check(api_->preference_create(&preference), "cublasLtMatmulPreferenceCreate"));
  const std::uint64_t bytes = s.workspace_bytes;
  int status = api_->preference_set(preference, kPrefMaxWorkspaceBytes, &bytes, sizeof(bytes));
  int found = 0;
  s.answers.resize(static_cast<std::size_t>(count));
  if (status == 0) {
    status = api_->heuristic(s.handle, s.desc, s.first, s.second, s.result, s.result, preference,
                             count, s.answers.data(), &found);
  }
  api_->preference_destroy(preference);
  CROQ_TRY(Check(status, "cublasLtMatmulAlgoGetHeuristic"));
  s.answers.resize(static_cast<std::size_t>(found));
  std::erase_if(s.answers, [](const HeuristicResult& answer) { return answer.state != 0; });
  return {};
}

int CublasLt::answers() const { return static_cast<int>(state_->answers.size()); }

Status CublasLt::Matmul(int index, const LtOperands& operands, CUstream stream) {
  const State& s = *state_;
  if (operands.scale_a != 0) {
    // Our B is cuBLAS's first operand.
    const void* first = Pointer(operands.scale_b);
    const void* second = Pointer(operands.scale_a);
    CROQ_TRY(Set(kDescAScalePointer, &first, sizeof(first), "A_SCALE_POINTER"));
    CROQ_TRY(Set(kDescBScalePointer, &second, sizeof(second), "B_SCALE_POINTER"));
  }
  const float one = 1;
  const float zero = 0;
  const HeuristicResult& answer = s.answers[static_cast<std::size_t>(index)];
  return Check(api_->matmul(s.handle, s.desc, &one, Pointer(operands.b), s.first,
                            Pointer(operands.a), s.second, &zero, Pointer(operands.c), s.result,
                            Pointer(operands.c), s.result, &answer.algorithm, Pointer(s.workspace),
                            s.workspace_bytes, stream),
               "cublasLtMatmul");
}

}  // namespace croq::runner
