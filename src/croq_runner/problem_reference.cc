#include "croq_runner/problem_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "croq/base/check.h"
#include "croq/base/files.h"

namespace croq::runner {
namespace {

/// Aborts on a name that no Problem holds: they are checked where a problem is decoded.
Element ElementOfTensor(const TensorSpec& tensor) {
  const std::optional<Element> element = ElementNamed(tensor.element);
  CROQ_CHECK(element.has_value());
  return *element;
}

Status CheckFinite(const float* values, std::int64_t count, const std::string& path) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) {
      return Failure(fmt::format("{}: element {} of {} is not finite, and nothing can be held "
                                 "against it",
                                 path, i, count));
    }
  }
  return {};
}

}  // namespace

std::int64_t ReferenceBytes(const TensorSpec& tensor) {
  const Element element = ElementOfTensor(tensor);
  return tensor.Elements() * (IsReal(element) ? 4 : SizeOf(element));
}

std::int64_t ScaleColumns(const TensorSpec& tensor) {
  const std::int64_t last = tensor.shape.empty() ? 1 : tensor.shape.back();
  return last >= kRowColumns ? last : std::max<std::int64_t>(tensor.Elements(), 1);
}

std::vector<float> RowScales(const float* values, std::int64_t count, std::int64_t columns) {
  std::vector<float> scales;
  double total = 0;
  for (std::int64_t row = 0; row < count; row += columns) {
    double sum = 0;
    for (std::int64_t i = row; i < row + columns; ++i) {
      const auto value = static_cast<double>(values[i]);
      sum += value * value;
    }
    total += sum;
    scales.push_back(static_cast<float>(std::sqrt(sum / static_cast<double>(columns))));
  }
  const double rms = count > 0 ? std::sqrt(total / static_cast<double>(count)) : 0;
  const auto least = static_cast<float>(kRowFloor * rms);
  for (float& scale : scales) scale = std::max(scale, least);
  return scales;
}

Result<TensorReference> TensorReference::Load(const Driver& driver, const TensorSpec& tensor,
                                              const std::string& path) {
  CROQ_ASSIGN(const std::string data, ReadFile(path));
  const auto bytes = static_cast<std::size_t>(ReferenceBytes(tensor));
  if (data.size() != bytes) {
    return Failure(fmt::format("{} has {} bytes; the reference of '{}' has {}", path, data.size(),
                               tensor.name, bytes));
  }
  TensorReference made;
  made.element_ = ElementOfTensor(tensor);
  made.count_ = tensor.Elements();
  made.columns_ = ScaleColumns(tensor);
  CROQ_ASSIGN(made.values_, DeviceBuffer::Create(driver, bytes, "the reference of " + tensor.name));
  if (bytes == 0)
    return made;
  CROQ_TRY(driver.Check(driver.MemcpyHtoD(made.values_.get(), data.data(), bytes),
                        "copying a reference to the device"));
  if (!IsReal(made.element_))
    return made;
  // A std::string's memory is aligned for any number.
  const auto* values = reinterpret_cast<const float*>(data.data());
  CROQ_TRY(CheckFinite(values, made.count_, path));
  const std::vector<float> scales = RowScales(values, made.count_, made.columns_);
  const std::size_t scale_bytes = scales.size() * sizeof(float);
  CROQ_ASSIGN(made.scales_,
              DeviceBuffer::Create(driver, scale_bytes, "the scales of " + tensor.name));
  CROQ_TRY(driver.Check(driver.MemcpyHtoD(made.scales_.get(), scales.data(), scale_bytes),
                        "copying a reference's scales to the device"));
  return made;
}

Result<CompareShare> TensorReference::Compare(DeviceKernels& kernels, CUdeviceptr output,
                                              const ProblemBound& bound, CUstream stream) const {
  CheckParams params{};
  params.output = output;
  params.reference = values_.get();
  params.scales = scales_.get();
  params.count = static_cast<std::uint64_t>(count_);
  params.columns = static_cast<std::uint64_t>(columns_);
  params.on_reference = bound.on_reference;
  params.on_scale = bound.on_scale;
  params.absolute = bound.absolute;
  params.element = element_;
  return kernels.Check(params, stream);
}

}  // namespace croq::runner
