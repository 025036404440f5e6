#include "croq_runner/operands.h"

#include <fmt/format.h>

#include <utility>

#include "croq_runner/bound.h"

namespace croq::runner {
namespace {

constexpr unsigned char kPoisonByte = 0xFF;
constexpr std::uint32_t kStreamsPerSet = 2;  ///< A and B
constexpr std::uint32_t kScaleStreams = 0x53430000u;  ///< of the scales, beyond those of elements
constexpr std::size_t kMostInputs = 4;       ///< A, B and their scales

}  // namespace

Result<std::unique_ptr<Operands>> Operands::Create(const Driver& driver,
                                                   const PrepareRequest& request,
                                                   const DeviceFacts& device) {
  std::unique_ptr<Operands> operands(new Operands(driver, request));
  CROQ_TRY(operands->Initialise(device));
  return operands;
}

Status Operands::Initialise(const DeviceFacts& device) {
  std::size_t free = 0;
  std::size_t total = 0;
  CROQ_TRY(driver_.Check(driver_.MemGetInfo(&free, &total), "cuMemGetInfo"));
  CROQ_ASSIGN(plan_, PlanSets(request_.shape, device.l2_bytes, static_cast<std::int64_t>(free)));
  CROQ_ASSIGN(kernels_, DeviceKernels::Load(driver_));
  CROQ_ASSIGN(stream_, Stream::Create(driver_));
  const std::size_t sums_bytes = kMostInputs * sizeof(HashPair) * static_cast<std::size_t>(plan_.sets);
  CROQ_ASSIGN(sums_, DeviceBuffer::Create(driver_, sums_bytes, "hashes of the inputs"));
  for (int set = 0; set < plan_.sets; ++set) {
    CROQ_ASSIGN(Set made, MakeSet(set));
    sets_.push_back(std::move(made));
  }
  CROQ_ASSIGN(const std::vector<HashPair> hashes, HashInputs(0, plan_.sets));
  for (std::size_t set = 0; set < sets_.size(); ++set) sets_[set].inputs = hashes[set];
  return {};
}

Result<Operands::Set> Operands::MakeSet(int set) {
  const auto create = [this](std::int64_t bytes, const char* what) {
    return DeviceBuffer::Create(driver_, static_cast<std::size_t>(bytes), what);
  };
  Set made;
  CROQ_ASSIGN(made.a, create(plan_.a_bytes, "operand A"));
  CROQ_ASSIGN(made.b, create(plan_.b_bytes, "operand B"));
  CROQ_ASSIGN(made.c_band, create(plan_.c_bytes + 2 * kGuardBytes, "operand C"));
  const CUdeviceptr band = made.c_band.get();
  CROQ_TRY(Set8(driver_, band, kGuardByte, plan_.c_bytes + 2 * kGuardBytes, stream_.get(),
                "the guards of C"));
  CROQ_TRY(Set8(driver_, band + kGuardBytes, kPoisonByte, plan_.c_bytes, stream_.get(),
                "the poison of C"));

  const ShapeKey& shape = request_.shape;
  FillParams fill{};
  fill.seed = request_.seed;
  fill.scale = InputScale(shape.dtype, shape.k);
  fill.element = OperandElement(shape.dtype);
  fill.target = made.a.get();
  fill.count = static_cast<std::uint64_t>(shape.m * shape.k);
  fill.stream = kStreamsPerSet * static_cast<std::uint32_t>(set);
  CROQ_TRY(kernels_->Fill(fill, stream_.get()));
  fill.target = made.b.get();
  fill.count = static_cast<std::uint64_t>(shape.k * shape.n);
  fill.stream += 1;
  CROQ_TRY(kernels_->Fill(fill, stream_.get()));
  if (FactsOf(shape.dtype).scaled) {
    CROQ_ASSIGN(made.scaled,
                MakeScaledInputs(driver_, *kernels_, shape, request_.seed,
                                 kScaleStreams + kStreamsPerSet * static_cast<std::uint32_t>(set),
                                 made.a.get(), made.b.get(), stream_.get()));
  }
  return made;
}

CUdeviceptr Operands::bar_a(int set) const {
  const DeviceBuffer& copy = sets_[Index(set)].scaled.bar_a;
  return copy.bytes() > 0 ? copy.get() : a(set);
}

CUdeviceptr Operands::bar_b(int set) const {
  const DeviceBuffer& copy = sets_[Index(set)].scaled.bar_b;
  return copy.bytes() > 0 ? copy.get() : b(set);
}

std::int64_t Operands::device_bytes() const {
  std::size_t total = 0;
  for (const Set& set : sets_) {
    total += set.a.bytes() + set.b.bytes() + set.c_band.bytes();
    total += static_cast<std::size_t>(set.scaled.device_bytes());
    if (set.reference) total += set.reference->values.bytes() + set.reference->products.bytes();
  }
  return static_cast<std::int64_t>(total);
}

OperandPlaces Operands::Places() const {
  OperandPlaces places{sets(), {{"a", a_bytes(), {}}, {"b", b_bytes(), {}}, {"c", c_bytes(), {}}}};
  for (int set = 0; set < sets(); ++set) {
    places.operands[0].sets.push_back(a(set));
    places.operands[1].sets.push_back(b(set));
    places.operands[2].sets.push_back(c(set));
  }
  const std::optional<Scaling> scaling = ScalingOf(shape());
  if (!scaling) return places;
  places.operands.push_back({"scale_a", scaling->a.Bytes(), {}});
  places.operands.push_back({"scale_b", scaling->b.Bytes(), {}});
  for (int set = 0; set < sets(); ++set) {
    places.operands[3].sets.push_back(scale_a(set));
    places.operands[4].sets.push_back(scale_b(set));
  }
  return places;
}

Status Operands::PoisonOutput(int set, CUstream stream) {
  return Set8(driver_, c(set), kPoisonByte, plan_.c_bytes, stream, "poisoning the output");
}

Result<Check> Operands::CheckOutput(int set, CUstream stream) {
  CROQ_ASSIGN(const Reference* reference, ReferenceOf(set, stream));
  const ShapeKey& shape = request_.shape;
  CompareParams params{};
  params.output = c(set);
  params.reference = reference->values.get();
  params.products = reference->products.get();
  params.count = static_cast<std::uint64_t>(shape.m * shape.n);
  params.terms = MakeBound(shape.dtype, shape.k, request_.bound_constant);
  params.element = ResultElement(shape.dtype);
  CROQ_ASSIGN(const CompareShare found, kernels_->Compare(params, stream));

  Check check;
  CROQ_ASSIGN(check.guard_bytes_changed, ChangedGuardBytes(sets_[Index(set)], stream));
  check.nan_count = static_cast<std::int64_t>(found.nan_count);
  check.inf_count = static_cast<std::int64_t>(found.inf_count);
  check.over_bound = static_cast<std::int64_t>(found.over_bound);
  check.max_abs_err = found.max_abs_err;
  check.worst_ratio = found.worst_ratio;
  check.worst_row = static_cast<std::int64_t>(found.worst_index) / shape.n;
  check.worst_column = static_cast<std::int64_t>(found.worst_index) % shape.n;
  check.output_hash = fmt::format("{:016x}{:016x}", found.hash.high, found.hash.low);
  check.passed = check.nan_count == 0 && check.inf_count == 0 && check.over_bound == 0 &&
                 check.guard_bytes_changed == 0 && check.max_abs_err < request_.max_abs_tolerance;
  return check;
}

Result<const Operands::Reference*> Operands::ReferenceOf(int set, CUstream stream) {
  Set& owner = sets_[Index(set)];
  if (owner.reference) return &*owner.reference;
  CROQ_ASSIGN(Reference made, AllocateReference());
  ReferenceParams params = ParamsOfReference(set);
  params.reference = made.values.get();
  params.products = made.products.get();
  CROQ_TRY(kernels_->Reference(params, stream));
  owner.reference = std::move(made);
  return &*owner.reference;
}

ReferenceParams Operands::ParamsOfReference(int set) const {
  const ShapeKey& shape = request_.shape;
  const bool transposed = shape.BIsNk();
  ReferenceParams params{};
  params.a = a(set);
  params.b = b(set);
  params.m = shape.m;
  params.n = shape.n;
  params.k = shape.k;
  params.a_row_stride = shape.k;
  params.b_k_stride = transposed ? 1 : shape.n;
  params.b_column_stride = transposed ? shape.k : 1;
  params.element = OperandElement(shape.dtype);
  if (const std::optional<Scaling> scaling = ScalingOf(shape)) {
    params.a_scales = ParamsOf(scaling->a, scale_a(set));
    params.b_scales = ParamsOf(scaling->b, scale_b(set));
  }
  return params;
}

Result<Operands::Reference> Operands::AllocateReference() {
  const auto elements = static_cast<std::size_t>(request_.shape.m * request_.shape.n);
  while (true) {
    Reference made;
    auto values = DeviceBuffer::Create(driver_, elements * sizeof(double), "a reference");
    if (values) {
      made.values = std::move(*values);
      auto products = DeviceBuffer::Create(driver_, elements * sizeof(float), "a reference");
      if (products) {
        made.products = std::move(*products);
        return made;
      }
      values = tl::unexpected(products.error());
    }
    // Another set's reference can be made again.
    bool freed = false;
    for (Set& set : sets_) {
      if (!set.reference) continue;
      set.reference.reset();
      freed = true;
      break;
    }
    if (!freed) return tl::unexpected(values.error());
  }
}

std::vector<const DeviceBuffer*> Operands::InputsOf(const Set& set) {
  std::vector<const DeviceBuffer*> inputs{&set.a, &set.b};
  if (set.scaled.scale_a.bytes() > 0) {
    inputs.push_back(&set.scaled.scale_a);
    inputs.push_back(&set.scaled.scale_b);
  }
  return inputs;
}

Result<std::vector<HashPair>> Operands::HashInputs(int first, int count) {
  const std::size_t inputs = InputsOf(sets_[Index(first)]).size();
  const std::size_t bytes = inputs * sizeof(HashPair) * static_cast<std::size_t>(count);
  CROQ_TRY(Set8(driver_, sums_.get(), 0, static_cast<std::int64_t>(bytes), stream_.get(),
                "clearing the hashes"));
  HashParams params{};
  params.sum = sums_.get();
  for (int set = first; set < first + count; ++set) {
    for (const DeviceBuffer* operand : InputsOf(sets_[Index(set)])) {
      params.data = operand->get();
      params.bytes = operand->bytes();
      CROQ_TRY(kernels_->Hash(params, stream_.get()));
      params.sum += sizeof(HashPair);
    }
  }
  std::vector<HashPair> sums(inputs * static_cast<std::size_t>(count));
  CROQ_TRY(driver_.Check(driver_.StreamSynchronize(stream_.get()), "hashing the inputs"));
  CROQ_TRY(driver_.Check(driver_.MemcpyDtoH(sums.data(), sums_.get(), bytes),
                         "copying the hashes of the inputs"));
  std::vector<HashPair> sets;
  for (std::size_t i = 0; i < sums.size(); i += inputs) {
    HashPair joined{0, 0};
    for (std::size_t input = i; input < i + inputs; ++input) {
      joined = {Mix(joined.low) + sums[input].low, Mix(joined.high) + sums[input].high};
    }
    sets.push_back(joined);
  }
  return sets;
}

Result<std::optional<ChangedInput>> Operands::FirstChanged(int first, int count) {
  CROQ_TRY(driver_.Check(driver_.CtxSynchronize(), "waiting before the inputs are hashed"));
  CROQ_ASSIGN(const std::vector<HashPair> now, HashInputs(first, count));
  for (int i = 0; i < count; ++i) {
    const HashPair& before = sets_[Index(first + i)].inputs;
    const HashPair& after = now[static_cast<std::size_t>(i)];
    if (after.low != before.low || after.high != before.high)
      return ChangedInput{first + i, FactsOf(shape().dtype).scaled ? "a, b or their scales" : "a or b"};
  }
  return std::nullopt;
}

Result<std::int64_t> Operands::ChangedGuardBytes(const Set& set, CUstream stream) {
  GuardParams params{};
  params.bytes = kGuardBytes;
  params.pattern = kGuardByte;
  params.data = set.c_band.get();
  CROQ_ASSIGN(const std::int64_t before, kernels_->ChangedBytes(params, stream));
  params.data += static_cast<std::uint64_t>(kGuardBytes + plan_.c_bytes);
  CROQ_ASSIGN(const std::int64_t after, kernels_->ChangedBytes(params, stream));
  if (before + after == 0) return 0;
  // Mended, so that the next candidate is not blamed for it.
  CROQ_TRY(Set8(driver_, set.c_band.get(), kGuardByte, kGuardBytes, stream, "mending a guard"));
  CROQ_TRY(Set8(driver_, params.data, kGuardByte, kGuardBytes, stream, "mending a guard"));
  return before + after;
}

std::string Operands::Explain(const Check& check) const {
  if (check.passed) return {};
  const std::int64_t total = request_.shape.m * request_.shape.n;
  const std::string place = fmt::format("row {}, column {}", check.worst_row, check.worst_column);
  if (check.nan_count > 0) {
    return fmt::format("{} of {} elements are NaN, the first at {}: the output starts as NaN, "
                       "so what is not written stays so",
                       check.nan_count, total, place);
  }
  if (check.inf_count > 0) {
    return fmt::format("{} of {} elements are infinite, as at {}", check.inf_count, total, place);
  }
  if (check.guard_bytes_changed > 0) {
    return fmt::format("{} bytes just before or after the output were overwritten",
                       check.guard_bytes_changed);
  }
  if (check.over_bound > 0) {
    return fmt::format("{} of {} elements lie outside the error bound; the worst, at {}, by a "
                       "factor of {:.3g} (largest absolute error {:.3g})",
                       check.over_bound, total, place, check.worst_ratio, check.max_abs_err);
  }
  return fmt::format("the largest absolute error, {:.3g}, is not below the contract's {:.3g}",
                     check.max_abs_err, request_.max_abs_tolerance);
}

}  // namespace croq::runner
