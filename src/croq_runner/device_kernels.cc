#include "croq_runner/device_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "croq/base/check.h"
#include "croq_runner/element.h"
#include "croq_runner/kernels_ptx.h"

namespace croq::runner {
namespace {

constexpr std::int64_t kMaxBlocks = 1024;  ///< enough to fill any GPU at 256 threads a block
constexpr std::size_t kScratchBytes = kMaxBlocks * sizeof(CompareShare);

std::int64_t BlocksFor(std::uint64_t items) {
  const std::uint64_t blocks = (items + kBlockThreads - 1) / kBlockThreads;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(blocks), 1, kMaxBlocks);
}

void Join(const CompareShare& other, CompareShare* into) {
  into->nan_count += other.nan_count;
  into->inf_count += other.inf_count;
  into->over_bound += other.over_bound;
  into->hash.low += other.hash.low;
  into->hash.high += other.hash.high;
  into->max_abs_err = std::max(into->max_abs_err, other.max_abs_err);
  // Blocks own interleaved elements, so a later block may hold a lower index.
  if (other.worst_ratio > into->worst_ratio ||
      (other.worst_ratio == into->worst_ratio && other.worst_index < into->worst_index)) {
    into->worst_ratio = other.worst_ratio;
    into->worst_index = other.worst_index;
  }
}

}  // namespace

Element OperandElement(DType dtype) {
  const std::optional<Element> element = ElementNamed(FactsOf(dtype).operand.triton);
  CROQ_CHECK(element.has_value());
  return *element;
}

Element ResultElement(DType dtype) {
  const std::optional<Element> element = ElementNamed(FactsOf(dtype).result.triton);
  CROQ_CHECK(element.has_value());
  return *element;
}

Result<std::unique_ptr<DeviceKernels>> DeviceKernels::Load(const Driver& driver) {
  std::unique_ptr<DeviceKernels> kernels(new DeviceKernels(driver));
  CROQ_ASSIGN(kernels->module_, Module::Load(driver, kKernelsPtx, "the runner's own PTX"));
  CROQ_ASSIGN(kernels->fill_, kernels->module_.Function("croq_fill"));
  CROQ_ASSIGN(kernels->draw_, kernels->module_.Function("croq_draw"));
  CROQ_ASSIGN(kernels->reference_, kernels->module_.Function("croq_reference"));
  CROQ_ASSIGN(kernels->dequantise_, kernels->module_.Function("croq_dequantise"));
  CROQ_ASSIGN(kernels->compare_, kernels->module_.Function("croq_compare"));
  CROQ_ASSIGN(kernels->check_, kernels->module_.Function("croq_check"));
  CROQ_ASSIGN(kernels->hash_, kernels->module_.Function("croq_hash"));
  CROQ_ASSIGN(kernels->guard_, kernels->module_.Function("croq_guard"));
  CROQ_ASSIGN(kernels->scratch_, DeviceBuffer::Create(driver, kScratchBytes, "results of checks"));
  CROQ_ASSIGN(kernels->pinned_, PinnedBuffer::Create(driver, kScratchBytes));
  return kernels;
}

Status DeviceKernels::Launch(CUfunction function, std::int64_t blocks, int threads, void* params,
                             CUstream stream, const char* what) {
  void* arguments[] = {params};
  return driver_.Check(
      driver_.LaunchKernel(function, static_cast<unsigned>(blocks), 1, 1,
                           static_cast<unsigned>(threads), 1, 1, 0, stream, arguments, nullptr),
      fmt::format("launch of {}", what));
}

Status DeviceKernels::Collect(std::size_t bytes, CUstream stream, const char* what) {
  CROQ_TRY(driver_.Check(
      driver_.MemcpyDtoHAsync(pinned_.get(), scratch_.get(), bytes, stream),
      fmt::format("copy of the result of {}", what)));
  return driver_.Check(driver_.StreamSynchronize(stream), what);
}

Status DeviceKernels::Fill(const FillParams& params, CUstream stream) {
  FillParams copy = params;
  return Launch(fill_, BlocksFor((params.count + 1) / 2), kBlockThreads, &copy, stream,
                "croq_fill");
}

Status DeviceKernels::Draw(const DrawParams& params, CUstream stream) {
  DrawParams copy = params;
  return Launch(draw_, BlocksFor((params.count + 1) / 2), kBlockThreads, &copy, stream,
                "croq_draw");
}

Status DeviceKernels::Reference(const ReferenceParams& params, CUstream stream) {
  ReferenceParams copy = params;
  const std::int64_t rows = (params.m + kReferenceTile - 1) / kReferenceTile;
  const std::int64_t columns = (params.n + kReferenceTile - 1) / kReferenceTile;
  if (rows > 0x7FFFFFFF / columns) {
    return Failure(fmt::format("a reference of {} x {} is too large for one grid", params.m,
                               params.n));
  }
  return Launch(reference_, rows * columns, kReferenceThreads, &copy, stream, "croq_reference");
}

Status DeviceKernels::Dequantise(const DequantiseParams& params, CUstream stream) {
  DequantiseParams copy = params;
  return Launch(dequantise_, BlocksFor(params.count), kBlockThreads, &copy, stream,
                "croq_dequantise");
}

Result<CompareShare> DeviceKernels::Shares(CUfunction function, std::uint64_t count, void* params,
                                           CUstream stream, const char* what) {
  const std::int64_t blocks = BlocksFor(count);
  CROQ_TRY(Launch(function, blocks, kBlockThreads, params, stream, what));
  CROQ_TRY(Collect(static_cast<std::size_t>(blocks) * sizeof(CompareShare), stream, what));
  const auto* shares = static_cast<const CompareShare*>(pinned_.get());
  CompareShare total = shares[0];
  for (std::int64_t i = 1; i < blocks; ++i) Join(shares[i], &total);
  return total;
}

Result<CompareShare> DeviceKernels::Compare(CompareParams params, CUstream stream) {
  params.shares = scratch_.get();
  return Shares(compare_, params.count, &params, stream, "croq_compare");
}

Result<CompareShare> DeviceKernels::Check(CheckParams params, CUstream stream) {
  params.shares = scratch_.get();
  return Shares(check_, params.count, &params, stream, "croq_check");
}

Status DeviceKernels::Hash(const HashParams& params, CUstream stream) {
  HashParams copy = params;
  return Launch(hash_, BlocksFor(params.bytes / 8), kBlockThreads, &copy, stream, "croq_hash");
}

Result<std::int64_t> DeviceKernels::ChangedBytes(GuardParams params, CUstream stream) {
  params.changed = scratch_.get();
  CROQ_TRY(driver_.Check(driver_.MemsetD8Async(scratch_.get(), 0, sizeof(std::uint64_t), stream),
                         "clearing the count of croq_guard"));
  CROQ_TRY(Launch(guard_, BlocksFor(params.bytes), kBlockThreads, &params, stream, "croq_guard"));
  CROQ_TRY(Collect(sizeof(std::uint64_t), stream, "croq_guard"));
  std::uint64_t changed = 0;
  std::memcpy(&changed, pinned_.get(), sizeof(changed));
  return static_cast<std::int64_t>(changed);
}

}  // namespace croq::runner
