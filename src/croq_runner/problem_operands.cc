#include "croq_runner/problem_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "croq_runner/set_plan.h"

namespace croq::runner {
namespace {

constexpr unsigned char kRealPoison = 0xFF;
constexpr unsigned char kIntegerPoison = 0xA5;
/// Sets that the engine is expected to give references; more do no harm.
constexpr int kReferencedSets = 3;

bool IsWritten(const TensorSpec& spec) {
  return spec.role != TensorRole::kInput;
}

}  // namespace

Result<std::unique_ptr<ProblemOperands>> ProblemOperands::Create(const Driver& driver,
                                                                 const PrepareRequest& request,
                                                                 const DeviceFacts& device) {
  CROQ_CHECK(request.problem.has_value());
  std::unique_ptr<ProblemOperands> operands(new ProblemOperands(driver, request));
  CROQ_TRY(operands->Initialise(device));
  return operands;
}

Status ProblemOperands::Initialise(const DeviceFacts& device) {
  CROQ_ASSIGN(const int count, PlanSetCount(device));
  CROQ_ASSIGN(kernels_, DeviceKernels::Load(driver_));
  CROQ_ASSIGN(stream_, Stream::Create(driver_));
  const std::size_t sums = problem_.tensors.size() * static_cast<std::size_t>(count) + 1;
  CROQ_ASSIGN(sums_, DeviceBuffer::Create(driver_, sums * sizeof(HashPair), "hashes of inputs"));
  const bool in_place = std::any_of(problem_.tensors.begin(), problem_.tensors.end(),
                                    [](const auto& t) { return t.role == TensorRole::kInOut; });
  if (in_place) {
    const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(2 * device.l2_bytes, 256));
    CROQ_ASSIGN(flush_, DeviceBuffer::Create(driver_, bytes, "flushing the L2"));
  }
  for (int set = 0; set < count; ++set) {
    CROQ_ASSIGN(Set made, MakeSet(set));
    sets_.push_back(std::move(made));
  }
  CROQ_ASSIGN(const std::vector<HashPair> hashes, HashKept(0, count));
  auto hash = hashes.begin();
  for (Set& set : sets_) {
    for (Tensor& tensor : set.tensors) tensor.inputs = *hash++;
  }
  return {};
}

Result<int> ProblemOperands::PlanSetCount(const DeviceFacts& device) const {
  std::size_t free = 0;
  std::size_t total = 0;
  CROQ_TRY(driver_.Check(driver_.MemGetInfo(&free, &total), "cuMemGetInfo"));
  MemoryNeed need;
  for (const TensorSpec& spec : problem_.tensors) {
    const auto bytes = static_cast<double>(spec.Bytes());
    need.a_set += spec.role == TensorRole::kInOut ? 2 * bytes : bytes;
    if (IsWritten(spec))
      need.besides += static_cast<double>(ReferenceBytes(spec));
  }
  need.more_if_free = (kReferencedSets - 1) * need.besides;
  return CountSets(request_.shape.text, need, device.l2_bytes, static_cast<std::int64_t>(free));
}

Result<ProblemOperands::Set> ProblemOperands::MakeSet(int set) {
  Set made;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec& spec = problem_.tensors[i];
    const std::int64_t bytes = spec.Bytes();
    Tensor tensor;
    CROQ_ASSIGN(tensor.band,
                DeviceBuffer::Create(driver_, static_cast<std::size_t>(bytes + 2 * kGuardBytes),
                                     "tensor " + spec.name));
    CROQ_TRY(Set8(driver_, tensor.band.get(), kGuardByte, bytes + 2 * kGuardBytes, stream_.get(),
                  "the guards of a tensor"));
    if (spec.role == TensorRole::kInput)
      CROQ_TRY(Fill(set, i, AddressOf(tensor)));
    if (spec.role == TensorRole::kInOut) {
      CROQ_ASSIGN(tensor.pristine, DeviceBuffer::Create(driver_, static_cast<std::size_t>(bytes),
                                                        "a copy of " + spec.name));
      CROQ_TRY(Fill(set, i, tensor.pristine.get()));
    }
    made.tensors.push_back(std::move(tensor));
  }
  return made;
}

Status ProblemOperands::Fill(int set, std::size_t tensor, CUdeviceptr target) {
  const TensorSpec& spec = problem_.tensors[tensor];
  if (spec.Elements() == 0)
    return {};
  DrawParams params{};
  params.target = target;
  params.count = static_cast<std::uint64_t>(spec.Elements());
  params.seed = request_.seed;
  params.first = spec.first;
  params.second = spec.second;
  params.stream = static_cast<std::uint32_t>(static_cast<std::size_t>(set) *
                                                 problem_.tensors.size() + tensor);
  params.draw = static_cast<Draw>(spec.distribution);
  params.element = *ElementNamed(spec.element);
  return kernels_->Draw(params, stream_.get());
}

std::int64_t ProblemOperands::device_bytes() const {
  std::int64_t total = static_cast<std::int64_t>(flush_.bytes());
  for (const Set& set : sets_) {
    for (const Tensor& tensor : set.tensors) {
      total += static_cast<std::int64_t>(tensor.band.bytes() + tensor.pristine.bytes());
    }
    for (const TensorReference& reference : set.references) total += reference.bytes();
  }
  return total;
}

OperandPlaces ProblemOperands::Places() const {
  OperandPlaces places{sets(), {}};
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    OperandPlace place{problem_.tensors[i].name, problem_.tensors[i].Bytes(), {}};
    for (const Set& set : sets_) place.sets.push_back(AddressOf(set.tensors[i]));
    places.operands.push_back(std::move(place));
  }
  return places;
}

Status ProblemOperands::PoisonOutput(int set, CUstream stream) {
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec& spec = problem_.tensors[i];
    if (spec.role != TensorRole::kOutput)
      continue;
    const bool real = IsReal(*ElementNamed(spec.element));
    CROQ_TRY(Set8(driver_, AddressOf(At(set).tensors[i]), real ? kRealPoison : kIntegerPoison,
                  spec.Bytes(), stream, "poisoning an output"));
  }
  return {};
}

Status ProblemOperands::Restore(int set, CUstream stream) {
  for (const Tensor& tensor : At(set).tensors) {
    if (tensor.pristine.bytes() == 0)
      continue;
    CROQ_TRY(driver_.Check(driver_.MemcpyDtoDAsync(AddressOf(tensor), tensor.pristine.get(),
                                                   tensor.pristine.bytes(), stream),
                           "restoring an in-place tensor"));
  }
  return {};
}

Status ProblemOperands::FlushCache(CUstream stream) {
  if (flush_.bytes() == 0)
    return {};
  // Reading leaves nothing behind that a timed kernel would have to wait for to be written back.
  HashParams params{};
  params.data = flush_.get();
  params.bytes = flush_.bytes();
  params.sum = sums_.get() + sums_.bytes() - sizeof(HashPair);
  return kernels_->Hash(params, stream);
}

bool ProblemOperands::Checkable(int set) const {
  return !At(set).references.empty();
}

CUdeviceptr ProblemOperands::KeptOf(const Set& set, std::size_t tensor) const {
  const Tensor& one = set.tensors[tensor];
  return problem_.tensors[tensor].role == TensorRole::kInOut ? one.pristine.get() : AddressOf(one);
}

Result<std::vector<HashPair>> ProblemOperands::HashKept(int first, int count) {
  const std::size_t sums = problem_.tensors.size() * static_cast<std::size_t>(count);
  CROQ_TRY(Set8(driver_, sums_.get(), 0, static_cast<std::int64_t>(sums * sizeof(HashPair)),
                stream_.get(), "clearing the hashes"));
  HashParams params{};
  params.sum = sums_.get();
  for (int set = first; set < first + count; ++set) {
    for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
      const TensorSpec& spec = problem_.tensors[i];
      params.data = KeptOf(At(set), i);
      params.bytes = static_cast<std::uint64_t>(spec.Bytes());
      if (spec.role != TensorRole::kOutput && params.bytes > 0)
        CROQ_TRY(kernels_->Hash(params, stream_.get()));
      params.sum += sizeof(HashPair);
    }
  }
  std::vector<HashPair> found(sums);
  CROQ_TRY(driver_.Check(driver_.StreamSynchronize(stream_.get()), "hashing the inputs"));
  if (sums > 0) {
    CROQ_TRY(driver_.Check(driver_.MemcpyDtoH(found.data(), sums_.get(), sums * sizeof(HashPair)),
                           "copying the hashes of the inputs"));
  }
  return found;
}

Result<std::optional<ChangedInput>> ProblemOperands::FirstChanged(int first, int count) {
  CROQ_TRY(driver_.Check(driver_.CtxSynchronize(), "waiting before the inputs are hashed"));
  CROQ_ASSIGN(const std::vector<HashPair> now, HashKept(first, count));
  auto after = now.begin();
  for (int set = first; set < first + count; ++set) {
    for (std::size_t i = 0; i < problem_.tensors.size(); ++i, ++after) {
      const HashPair& before = At(set).tensors[i].inputs;
      if (after->low != before.low || after->high != before.high)
        return ChangedInput{set, problem_.tensors[i].name};
    }
  }
  return std::nullopt;
}

}  // namespace croq::runner
