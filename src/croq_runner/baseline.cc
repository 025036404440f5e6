#include "croq_runner/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "croq/base/clock.h"

namespace croq::runner {
namespace {

constexpr int kRounds = 15;   ///< timed launches of each heuristic
constexpr int kWarmups = 2;   ///< rounds thrown away
constexpr int kMinRounds = 3;
constexpr double kMaxSeconds = 1.5;  ///< no further round after it, once there are kMinRounds

/// What torch gives its cuBLAS handle (ATen/cuda/CublasHandlePool.cpp, parseChosenWorkspaceSize):
/// `:4096:8` on Hopper and Blackwell, else cuBLAS's own `:4096:2:16:8`, in KiB times count.
std::size_t TorchWorkspaceBytes(int major) {
  constexpr std::size_t kKib = 1024;
  const bool large = major == 9 || major == 10 || major == 12;
  return large ? 4096 * 8 * kKib : (4096 * 2 + 16 * 8) * kKib;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace

/// One answer of the heuristic with its times.
struct Baseline::Contender {
  Event start;
  Event stop;
  std::vector<double> samples_ms;
  std::string refusal;  ///< cublasLt's error at its launch; empty: none
};

Result<std::unique_ptr<Baseline>> Baseline::Create(const PrepareRequest& request,
                                                   Operands& operands, const Driver& driver,
                                                   CUstream stream) {
  const BaselineLibraries& libraries = request.libraries;
  if (libraries.cublas.empty() || libraries.cublas_lt.empty()) {
    return Failure("the interpreter's torch has no libcublas: install a CUDA build of torch");
  }
  std::unique_ptr<Baseline> baseline(new Baseline(request, operands, driver));
  CUdevice device = 0;
  int major = 0;
  CROQ_TRY(driver.Check(driver.CtxGetDevice(&device), "cuCtxGetDevice"));
  CROQ_TRY(driver.Check(driver.DeviceGetAttribute(
                            &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
                        "cuDeviceGetAttribute"));
  CROQ_ASSIGN(baseline->workspace_, DeviceBuffer::Create(driver, TorchWorkspaceBytes(major),
                                                         "the workspace of cuBLAS"));
  CROQ_ASSIGN(baseline->capture_stream_, Stream::Create(driver));
  // libcublas needs libcublasLt: opened first, the one beside it is found whatever the search path.
  CROQ_TRY(OpenLibrary(libraries.cublas_lt, true));
  CROQ_TRY(baseline->Load());
  CROQ_TRY(baseline->Launch(0, stream));
  CROQ_TRY(driver.Check(driver.StreamSynchronize(stream), "the first matmul of cuBLAS"));
  return baseline;
}

ShapeKey Baseline::BarShape(ShapeKey shape) {
  if (shape.op != Operator::kBlockscaleGemm) return shape;
  shape.op = Operator::kMatmulNt;
  shape.dtype = DType::kF16Fp32;
  return shape;
}

Status Baseline::Load() {
  if (!FactsOf(shape_.dtype).scaled) {
    CROQ_ASSIGN(cublas_, Cublas::Create(libraries_.cublas, shape_, workspace_.get(),
                                        workspace_.bytes()));
    return {};
  }
  CROQ_ASSIGN(scaled_mm_, CublasLt::Create(libraries_.cublas_lt, shape_, workspace_.get(),
                                           workspace_.bytes(), 1));
  if (scaled_mm_->answers() > 0) return {};
  return Failure("cublasLt's heuristic has no answer for this shape");
}

LtOperands Baseline::OperandsOf(int set) const {
  LtOperands operands{operands_.bar_a(set), operands_.bar_b(set), operands_.c(set), 0, 0};
  if (FactsOf(shape_.dtype).scaled) {
    operands.scale_a = operands_.scale_a(set);
    operands.scale_b = operands_.scale_b(set);
  }
  return operands;
}

Status Baseline::Launch(int set, CUstream stream) {
  const LtOperands operands = OperandsOf(set);
  if (scaled_mm_ != nullptr) return scaled_mm_->Matmul(0, operands, stream);
  return cublas_->Matmul(operands.a, operands.b, operands.c, stream);
}

Result<std::string> Baseline::KernelName() {
  const CUstream stream = capture_stream_.get();
  CROQ_TRY(driver_.Check(driver_.StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED),
                         "cuStreamBeginCapture"));
  const Status launched = Launch(0, stream);
  CUgraph graph = nullptr;
  const CUresult ended = driver_.StreamEndCapture(stream, &graph);
  Result<std::string> name;
  if (!launched) {
    name = tl::unexpected(launched.error());
  } else if (ended != CUDA_SUCCESS) {
    name = Failure(fmt::format("cuStreamEndCapture: {}", driver_.Describe(ended)));
  } else {
    name = NameOfKernels(graph);
  }
  if (graph != nullptr) driver_.GraphDestroy(graph);
  return name;
}

Result<std::string> Baseline::NameOfKernels(CUgraph graph) {
  std::size_t count = 0;
  CROQ_TRY(driver_.Check(driver_.GraphGetNodes(graph, nullptr, &count), "cuGraphGetNodes"));
  std::vector<CUgraphNode> nodes(count);
  CROQ_TRY(driver_.Check(driver_.GraphGetNodes(graph, nodes.data(), &count), "cuGraphGetNodes"));
  std::string names;
  for (const CUgraphNode node : nodes) {
    CUgraphNodeType type{};
    CROQ_TRY(driver_.Check(driver_.GraphNodeGetType(node, &type), "cuGraphNodeGetType"));
    if (type != CU_GRAPH_NODE_TYPE_KERNEL) continue;
    CUDA_KERNEL_NODE_PARAMS params{};
    CROQ_TRY(driver_.Check(driver_.GraphKernelNodeGetParams(node, &params),
                           "cuGraphKernelNodeGetParams"));
    const char* name = nullptr;
    CUresult named = CUDA_ERROR_NOT_SUPPORTED;
    if (params.func != nullptr && driver_.FuncGetName != nullptr) {
      named = driver_.FuncGetName(&name, params.func);
    }
    if (named != CUDA_SUCCESS && params.kern != nullptr && driver_.KernelGetName != nullptr) {
      named = driver_.KernelGetName(&name, params.kern);
    }
    if (named != CUDA_SUCCESS || name == nullptr) name = "(a kernel the driver does not name)";
    if (!names.empty()) names += " + ";
    names += name;
  }
  return names;
}

Status Baseline::LaunchHeuristic(int index, int set, CUstream stream) {
  return lt_->Matmul(index, OperandsOf(set), stream);
}

Result<HeuristicsReply> Baseline::FindBestHeuristic(int count, CUstream stream) {
  HeuristicsReply reply;
  best_ = -1;
  auto lt = CublasLt::Create(libraries_.cublas_lt, shape_, workspace_.get(), workspace_.bytes(),
                             std::max(count, 1));
  if (!lt) {
    reply.problem = lt.error().message;
    return reply;
  }
  lt_ = std::move(*lt);
  reply.tried = lt_->answers();
  if (reply.tried == 0) {
    reply.problem = "cublasLt's heuristic has no answer for this shape";
    return reply;
  }
  CROQ_TRY(TimeHeuristics(stream, &reply));
  return reply;
}

Status Baseline::TimeRound(std::vector<Contender>* contenders, int* set, CUstream stream) {
  // The host queues the round while the device clears the workspace; else a short kernel would wait
  // for its own launch between its events.
  for (int i = 0; i < 4; ++i) {
    CROQ_TRY(driver_.Check(
        driver_.MemsetD8Async(workspace_.get(), 0, workspace_.bytes(), stream), "a memset"));
  }
  for (std::size_t i = 0; i < contenders->size(); ++i) {
    Contender& one = (*contenders)[i];
    if (!one.refusal.empty()) continue;
    CROQ_TRY(driver_.Check(driver_.EventRecord(one.start.get(), stream), "cuEventRecord"));
    const Status launched = LaunchHeuristic(static_cast<int>(i), *set, stream);
    CROQ_TRY(driver_.Check(driver_.EventRecord(one.stop.get(), stream), "cuEventRecord"));
    if (!launched) one.refusal = launched.error().message;
    *set = (*set + 1) % operands_.sets();
  }
  CROQ_TRY(driver_.Check(driver_.StreamSynchronize(stream), "timing cublasLt"));
  for (Contender& one : *contenders) {
    if (!one.refusal.empty()) continue;
    float ms = 0;
    CROQ_TRY(driver_.Check(driver_.EventElapsedTime(&ms, one.start.get(), one.stop.get()),
                           "cuEventElapsedTime"));
    one.samples_ms.push_back(static_cast<double>(ms));
  }
  return {};
}

Status Baseline::TimeHeuristics(CUstream stream, HeuristicsReply* reply) {
  std::vector<Contender> contenders(static_cast<std::size_t>(reply->tried));
  for (Contender& one : contenders) {
    CROQ_ASSIGN(one.start, Event::Create(driver_));
    CROQ_ASSIGN(one.stop, Event::Create(driver_));
  }
  const SteadyTime begin = std::chrono::steady_clock::now();
  int set = 0;
  for (int round = 0; round < kWarmups + kRounds; ++round) {
    if (round >= kWarmups + kMinRounds && SecondsSince(begin) > kMaxSeconds) break;
    CROQ_TRY(TimeRound(&contenders, &set, stream));
    if (round >= kWarmups) continue;
    for (Contender& one : contenders) one.samples_ms.clear();
  }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (contenders[i].samples_ms.empty()) continue;
    const double median = Median(contenders[i].samples_ms);
    if (best_ < 0) reply->first_ms = median;
    if (best_ >= 0 && median >= reply->best_ms) continue;
    best_ = static_cast<int>(i);
    reply->best_ms = median;
  }
  reply->best = best_;
  if (best_ >= 0) return {};
  reply->best = 0;
  reply->problem = fmt::format("cublasLt refused all its own answers, the first with: {}",
                               contenders.front().refusal);
  return {};
}

Status Baseline::LaunchBestHeuristic(int set, CUstream stream) {
  if (best_ < 0) {
    return Failure("no heuristic of cublasLt has been chosen: ask for the heuristics first");
  }
  return LaunchHeuristic(best_, set, stream);
}

}  // namespace croq::runner
