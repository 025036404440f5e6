#include "croq_runner/operands.h"

#include <fmt/format.h>

#include <utility>

#include "croq_runner/bound.h"

namespace croq::runner {
namespace {

constexpr unsigned char kPoisonByte = 0xFF;
constexpr std::uint32_t kStreamsPerSet = 2;  ///< A and B

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
  const std::size_t sums_bytes = 2 * sizeof(HashPair) * static_cast<std::size_t>(plan_.sets);
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
  fill.scale = InputScale(shape.k);
  fill.element = ElementOf(shape.dtype);
  fill.target = made.a.get();
  fill.count = static_cast<std::uint64_t>(shape.m * shape.k);
  fill.stream = kStreamsPerSet * static_cast<std::uint32_t>(set);
  CROQ_TRY(kernels_->Fill(fill, stream_.get()));
  fill.target = made.b.get();
  fill.count = static_cast<std::uint64_t>(shape.k * shape.n);
  fill.stream += 1;
  CROQ_TRY(kernels_->Fill(fill, stream_.get()));
  return made;
}

std::int64_t Operands::device_bytes() const {
  std::size_t total = 0;
  for (const Set& set : sets_) {
    total += set.a.bytes() + set.b.bytes() + set.c_band.bytes();
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
  params.element = ElementOf(shape.dtype);
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
  const ShapeKey& shape = request_.shape;
  const bool transposed = shape.op == Operator::kMatmulNt;
  ReferenceParams params{};
  params.a = owner.a.get();
  params.b = owner.b.get();
  params.reference = made.values.get();
  params.products = made.products.get();
  params.m = shape.m;
  params.n = shape.n;
  params.k = shape.k;
  params.a_row_stride = shape.k;
  params.b_k_stride = transposed ? 1 : shape.n;
  params.b_column_stride = transposed ? shape.k : 1;
  params.element = ElementOf(shape.dtype);
  CROQ_TRY(kernels_->Reference(params, stream));
  owner.reference = std::move(made);
  return &*owner.reference;
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

Result<std::vector<HashPair>> Operands::HashInputs(int first, int count) {
  const std::size_t bytes = 2 * sizeof(HashPair) * static_cast<std::size_t>(count);
  CROQ_TRY(Set8(driver_, sums_.get(), 0, static_cast<std::int64_t>(bytes), stream_.get(),
                "clearing the hashes"));
  HashParams params{};
  params.sum = sums_.get();
  for (int set = first; set < first + count; ++set) {
    for (const DeviceBuffer* operand : {&sets_[Index(set)].a, &sets_[Index(set)].b}) {
      params.data = operand->get();
      params.bytes = operand->bytes();
      CROQ_TRY(kernels_->Hash(params, stream_.get()));
      params.sum += sizeof(HashPair);
    }
  }
  std::vector<HashPair> sums(2 * static_cast<std::size_t>(count));
  CROQ_TRY(driver_.Check(driver_.StreamSynchronize(stream_.get()), "hashing the inputs"));
  CROQ_TRY(driver_.Check(driver_.MemcpyDtoH(sums.data(), sums_.get(), bytes),
                         "copying the hashes of the inputs"));
  std::vector<HashPair> sets;
  for (std::size_t i = 0; i < sums.size(); i += 2) {
    sets.push_back({Mix(sums[i].low) + sums[i + 1].low, Mix(sums[i].high) + sums[i + 1].high});
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
      return ChangedInput{first + i, "a or b"};
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
