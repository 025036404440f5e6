#include "croq/profile/floor.h"

#include <algorithm>

namespace croq::profile {
namespace {

constexpr int kHopper = 90;

double FlopsPerCycleAndSm(DType dtype) {
  switch (dtype) {
    case DType::kF16Fp32:
    case DType::kBf16Fp32:
      return 4096;
    case DType::kE4m3Fp32:
    case DType::kE4m3Fp16Fp32:
      return 8192;
    case DType::kTf32Fp32:
      return 2048;
    case DType::kF32:
      return 256;
  }
  return 0;
}

double StatedTflops(const DeviceFacts& device, DType dtype) {
  switch (dtype) {
    case DType::kF16Fp32:
    case DType::kBf16Fp32:
      return device.peak_tflops_f16;
    case DType::kE4m3Fp32:
    case DType::kE4m3Fp16Fp32:
      return 2 * device.peak_tflops_f16;
    case DType::kTf32Fp32:
      return device.peak_tflops_tf32;
    case DType::kF32:
      return device.peak_tflops_f32;
  }
  return 0;
}

}  // namespace

double PeakFlops(const DeviceFacts& device, DType dtype, int sm_clock_mhz) {
  if (device.compute_capability == kHopper && sm_clock_mhz > 0 && device.sm_count > 0)
    return FlopsPerCycleAndSm(dtype) * device.sm_count * sm_clock_mhz * 1e6;
  return StatedTflops(device, dtype) * 1e12;
}

double FloorMillis(const DeviceFacts& device, const ShapeKey& shape, int sm_clock_mhz) {
  const double flops = PeakFlops(device, shape.dtype, sm_clock_mhz);
  const double compute = flops > 0 ? shape.Flops() / flops * 1e3 : 0;
  const double memory = device.memory_gb_per_s > 0
                            ? shape.CompulsoryBytes() / (device.memory_gb_per_s * 1e9) * 1e3
                            : 0;
  return std::max(compute, memory);
}

}  // namespace croq::profile
