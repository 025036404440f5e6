#include "croq_runner/scaled_inputs.h"

#include <optional>
#include <utility>
#include <vector>

#include "croq/base/check.h"
#include "croq_runner/bound.h"
#include "croq_runner/scale_draw.h"

namespace croq::runner {
namespace {

constexpr std::size_t kHalfBytes = 2;

/// One operand on its way to a scaled one.
struct Operand {
  CUdeviceptr elements = 0;
  std::int64_t lines = 0;
  std::int64_t depth = 0;
  ScaleGrid grid;
};

Result<DeviceBuffer> Upload(const Driver& driver, const std::vector<float>& scales) {
  const std::size_t bytes = scales.size() * sizeof(float);
  CROQ_ASSIGN(DeviceBuffer buffer, DeviceBuffer::Create(driver, bytes, "scales"));
  CROQ_TRY(driver.Check(driver.MemcpyHtoD(buffer.get(), scales.data(), bytes),
                        "copying the scales to the device"));
  return buffer;
}

Result<DeviceBuffer> Dequantised(const Driver& driver, DeviceKernels& kernels,
                                 const Operand& operand, CUdeviceptr scales, CUstream stream) {
  DequantiseParams params{};
  params.source = operand.elements;
  params.count = static_cast<std::uint64_t>(operand.lines * operand.depth);
  params.depth = operand.depth;
  params.scales = ParamsOf(operand.grid, scales);
  CROQ_ASSIGN(DeviceBuffer target,
              DeviceBuffer::Create(driver, params.count * kHalfBytes, "an operand in float16"));
  params.target = target.get();
  CROQ_TRY(kernels.Dequantise(params, stream));
  return target;
}

}  // namespace

ScaleParams ParamsOf(const ScaleGrid& grid, CUdeviceptr address) {
  ScaleParams params{};
  params.scales = address;
  params.block_lines = static_cast<std::int32_t>(grid.block_lines);
  params.block_depth = static_cast<std::int32_t>(grid.block_depth);
  params.steps = static_cast<std::int32_t>(grid.steps);
  return params;
}

Result<ScaledInputs> MakeScaledInputs(const Driver& driver, DeviceKernels& kernels,
                                      const ShapeKey& shape, std::uint64_t seed,
                                      std::uint32_t streams, CUdeviceptr a, CUdeviceptr b,
                                      CUstream stream) {
  const std::optional<Scaling> scaling = ScalingOf(shape);
  CROQ_CHECK(scaling.has_value());
  const double deviation = InputDeviation(shape.dtype, shape.k);
  ScaledInputs made;
  CROQ_ASSIGN(made.scale_a, Upload(driver, DrawScales(scaling->a, deviation, seed, streams)));
  CROQ_ASSIGN(made.scale_b, Upload(driver, DrawScales(scaling->b, deviation, seed, streams + 1)));
  if (shape.op == Operator::kBlockscaleGemm) {
    CROQ_ASSIGN(made.bar_a, Dequantised(driver, kernels, {a, shape.m, shape.k, scaling->a},
                                        made.scale_a.get(), stream));
    CROQ_ASSIGN(made.bar_b, Dequantised(driver, kernels, {b, shape.n, shape.k, scaling->b},
                                        made.scale_b.get(), stream));
  }
  CROQ_TRY(driver.Check(driver.StreamSynchronize(stream), "making the scales"));
  return made;
}

}  // namespace croq::runner
