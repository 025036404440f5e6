// The checks of ProblemOperands and the files that they need.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "croq/base/files.h"
#include "croq_runner/problem_operands.h"

namespace croq::runner {
namespace {


std::string FileOf(const std::string& folder, const TensorSpec& spec) {
  return (std::filesystem::path(folder) / (spec.name + ".bin")).string();
}

/// Adds what was found in one tensor; the worst element of all is kept.
void Join(const TensorSpec& spec, const CompareShare& found, Check* check) {
  // A NaN says most; the reason then names the first.
  const bool had_nan = check->nan_count > 0;
  const bool first_nan = found.nan_count > 0 && !had_nan;
  check->nan_count += static_cast<std::int64_t>(found.nan_count);
  check->inf_count += static_cast<std::int64_t>(found.inf_count);
  check->over_bound += static_cast<std::int64_t>(found.over_bound);
  check->max_abs_err = std::max(check->max_abs_err, found.max_abs_err);
  check->output_hash += fmt::format("{:016x}{:016x}", found.hash.high, found.hash.low);
  const bool worse = check->tensor.empty() || found.worst_ratio > check->worst_ratio;
  if (!first_nan && (had_nan || !worse))
    return;
  const std::int64_t columns =
      spec.shape.empty() ? 1 : std::max<std::int64_t>(spec.shape.back(), 1);
  check->tensor = spec.name;
  check->worst_ratio = found.worst_ratio;
  check->worst_row = static_cast<std::int64_t>(found.worst_index) / columns;
  check->worst_column = static_cast<std::int64_t>(found.worst_index) % columns;
}

}  // namespace

Status ProblemOperands::CheckSet(int set) const {
  if (set >= 0 && set < sets())
    return {};
  return Failure(fmt::format("there is no input set {}; there are {}", set, sets()));
}

Result<InputsReply> ProblemOperands::WriteInputs(const InputsRequest& request) {
  CROQ_TRY(CheckSet(request.set));
  CROQ_TRY(driver_.Check(driver_.CtxSynchronize(), "waiting before the inputs are copied"));
  InputsReply reply;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec& spec = problem_.tensors[i];
    if (spec.role == TensorRole::kOutput)
      continue;
    std::string data(static_cast<std::size_t>(spec.Bytes()), '\0');
    if (!data.empty()) {
      CROQ_TRY(driver_.Check(
          driver_.MemcpyDtoH(data.data(), KeptOf(At(request.set), i), data.size()),
          "copying an input from the device"));
    }
    CROQ_TRY(WriteFile(FileOf(request.folder, spec), data));
    reply.bytes += spec.Bytes();
  }
  return reply;
}

Result<ReferencesReply> ProblemOperands::SetReferences(const ReferencesRequest& request) {
  CROQ_TRY(CheckSet(request.set));
  Set& set = sets_[static_cast<std::size_t>(request.set)];
  set.references.clear();
  std::vector<TensorReference> references;
  ReferencesReply reply;
  for (const TensorSpec& spec : problem_.tensors) {
    if (spec.role == TensorRole::kInput)
      continue;
    CROQ_ASSIGN(TensorReference reference,
                TensorReference::Load(driver_, spec, FileOf(request.folder, spec)));
    reply.bytes += reference.bytes();
    references.push_back(std::move(reference));
  }
  if (references.empty())
    return Failure("the problem has no output and no in-place tensor: there is nothing to check");
  // A copy from pageable memory may still be under way when the call returns.
  CROQ_TRY(driver_.Check(driver_.CtxSynchronize(), "copying the references to the device"));
  set.references = std::move(references);
  return reply;
}

ProblemBound ProblemOperands::BoundOf(const TensorSpec& spec) const {
  const Element element = *ElementNamed(spec.element);
  if (problem_.absolute_tolerance > 0)
    return MakeProblemBound(element, problem_.absolute_tolerance);
  return MakeProblemBound(element,
                          std::max(request_.max_abs_tolerance, DefaultTolerance(element)));
}

Result<Check> ProblemOperands::CheckOutput(int set, CUstream stream) {
  if (!Checkable(set))
    return Failure(fmt::format("input set {} has no reference", set));
  Check check;
  auto reference = At(set).references.begin();
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec& spec = problem_.tensors[i];
    if (spec.role == TensorRole::kInput)
      continue;
    const TensorReference& wanted = *reference++;
    if (spec.Elements() == 0)
      continue;
    const Tensor& tensor = At(set).tensors[i];
    CROQ_ASSIGN(const CompareShare found,
                wanted.Compare(*kernels_, AddressOf(tensor), BoundOf(spec), stream));
    Join(spec, found, &check);
    CROQ_ASSIGN(const std::int64_t outside, ChangedGuardBytes(tensor, spec.Bytes(), stream));
    check.guard_bytes_changed += outside;
  }
  check.passed = check.nan_count == 0 && check.inf_count == 0 && check.over_bound == 0 &&
                 check.guard_bytes_changed == 0;
  return check;
}

Result<std::int64_t> ProblemOperands::ChangedGuardBytes(const Tensor& tensor, std::int64_t bytes,
                                                        CUstream stream) {
  std::int64_t changed = 0;
  for (const CUdeviceptr guard :
       {tensor.band.get(), AddressOf(tensor) + static_cast<CUdeviceptr>(bytes)}) {
    GuardParams params{};
    params.bytes = kGuardBytes;
    params.pattern = kGuardByte;
    params.data = guard;
    CROQ_ASSIGN(const std::int64_t here, kernels_->ChangedBytes(params, stream));
    if (here == 0)
      continue;
    changed += here;
    // Mended, so that the next candidate is not blamed for it.
    CROQ_TRY(driver_.Check(driver_.MemsetD8Async(guard, kGuardByte, kGuardBytes, stream),
                           "mending a guard"));
  }
  return changed;
}

std::string ProblemOperands::Explain(const Check& check) const {
  if (check.passed)
    return {};
  std::int64_t total = 0;
  for (const TensorSpec& spec : problem_.tensors) {
    if (spec.role != TensorRole::kInput)
      total += spec.Elements();
  }
  const std::string place = fmt::format("{}, row {}, column {}", check.tensor, check.worst_row,
                                        check.worst_column);
  if (check.nan_count > 0) {
    return fmt::format("{} of {} elements are NaN, the first in {}: an output starts as NaN, so "
                       "what is not written stays so",
                       check.nan_count, total, place);
  }
  if (check.inf_count > 0) {
    return fmt::format("{} of {} elements are infinite, as in {}", check.inf_count, total, place);
  }
  if (check.guard_bytes_changed > 0) {
    return fmt::format("{} bytes just before or after an output were overwritten",
                       check.guard_bytes_changed);
  }
  const TensorSpec* worst = problem_.Find(check.tensor);
  if (worst != nullptr && !IsFloatElement(worst->element)) {
    return fmt::format("{} of {} elements are not the reference's, the first in {} (whole numbers "
                       "must be equal)",
                       check.over_bound, total, place);
  }
  return fmt::format("{} of {} elements lie outside the error bound; the worst, in {}, by a factor "
                     "of {:.3g} (largest absolute error {:.3g})",
                     check.over_bound, total, place, check.worst_ratio, check.max_abs_err);
}

}  // namespace croq::runner
