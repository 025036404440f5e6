#pragma once

#include <cuda.h>

#include <memory>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/runner_messages.h"
#include "croq_runner/cublas.h"
#include "croq_runner/cublas_lt.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/operands.h"

namespace croq::runner {

/// The bar: cuBLAS as torch.matmul calls it for two matrices, from the libraries of the
/// interpreter's own torch. What torch does is ATen/cuda/CUDABlas.cpp and CublasHandlePool.cpp
/// (torch 2.1 to 2.13):
///  - a row-major C = A.B is the column-major C' = B'.A', so the operands change places;
///  - f16, bf16: cublasGemmEx, compute type float32, CUBLAS_GEMM_DEFAULT_TENSOR_OP, default math
///    mode (reduced-precision reductions within cuBLAS are allowed, torch's default);
///  - f32: cublasSgemm, default math mode; with allow_tf32 the math mode is TF32_TENSOR_OP;
///  - FP8 with a scale a tensor: cublasLtMatmul by the heuristic's first answer, with fast
///    accumulation, as torch._scaled_mm(use_fast_accum=True) calls it;
///  - blockscale_gemm, for which torch has no call of this layout: cublasGemmEx on copies of A and B
///    that were dequantised to f16 beforehand (that is not timed);
///  - the handle has a workspace of 32 MiB on compute capability 9.0, 10.x and 12.x, else 8320 KiB.
/// The context must be current on the calling thread. Not thread-safe.
class Baseline {
 public:
  /// Runs one matmul into the C of set 0 on `stream`, so that what cuBLAS loads on first use is
  /// loaded; waits. Error: no libraries, or they can't be opened (with the reason), or no memory
  /// for the workspace, or cuBLAS refuses the shape.
  static Result<std::unique_ptr<Baseline>> Create(const PrepareRequest& request, Operands& operands,
                                                  const Driver& driver, CUstream stream);

  /// One matmul of `set` into its C. Asynchronous.
  Status Launch(int set, CUstream stream);

  /// The name of the kernel that Launch starts; several are joined by ` + `. Nothing runs: one call
  /// is captured into a graph, which is read and thrown away.
  Result<std::string> KernelName();

  /// Times cublasLt's first `count` answers of its heuristic, with the workspace of Launch,
  /// interleaved, sets rotated, one event pair a launch; keeps the one with the lowest median for
  /// LaunchBestHeuristic. `problem` of the reply says why there is none; an Error is the device's.
  Result<HeuristicsReply> FindBestHeuristic(int count, CUstream stream);

  /// One matmul by that answer. Asynchronous. Error where FindBestHeuristic found none.
  Status LaunchBestHeuristic(int set, CUstream stream);

 private:
  struct Contender;

  Baseline(const PrepareRequest& request, Operands& operands, const Driver& driver)
      : shape_(BarShape(request.shape)),
        libraries_(request.libraries),
        operands_(operands),
        driver_(driver) {}

  Result<std::string> NameOfKernels(CUgraph graph);
  Status Load();
  LtOperands OperandsOf(int set) const;
  Status LaunchHeuristic(int index, int set, CUstream stream);
  Status TimeHeuristics(CUstream stream, HeuristicsReply* reply);
  Status TimeRound(std::vector<Contender>* contenders, int* set, CUstream stream);

  /// What the library multiplies: a blockscale_gemm as matmul_nt in f16.
  static ShapeKey BarShape(ShapeKey shape);

  const ShapeKey shape_;
  const BaselineLibraries libraries_;
  Operands& operands_;
  const Driver& driver_;
  DeviceBuffer workspace_;
  Stream capture_stream_;
  std::unique_ptr<Cublas> cublas_;
  std::unique_ptr<CublasLt> scaled_mm_;  ///< of FP8, in the place of cublas_
  std::unique_ptr<CublasLt> lt_;
  int best_ = -1;             ///< index of the fastest answer; -1: none found yet
};

}  // namespace croq::runner
