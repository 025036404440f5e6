#include "croq/search/roofline.h"

#include <algorithm>
#include <cmath>

#include "croq/search/tile_facts.h"

namespace croq::search {
namespace {

constexpr double kLaunchMs = 0.003;
// What a load takes on its way. Little's law then says how many bytes an SM must have in flight to
// draw its share of the memory's rate; a thread has what its registers hold beyond its addresses.
constexpr double kLatencySeconds = 700e-9;
constexpr int kRegistersOfItsOwn = 24;
constexpr double kBytesPerRegister = 2;  // half of them wait for a load
constexpr double kLeastInFlight = 8;
constexpr double kMostInFlight = 128;
// Warps that keep an SM's four matrix or FMA units fed.
constexpr double kWarpsForCompute = 8;
// Share of the roofs that real kernels reach.
constexpr double kMemoryShare = 0.92;
constexpr double kComputeShare = 0.65;
constexpr std::int64_t kReservedSharedBytes = 1024;  // of each block, the driver's own

double PeakTflops(const ShapeKey& shape, const DeviceFacts& device) {
  switch (shape.dtype) {
    case DType::kF16Fp32:
    case DType::kBf16Fp32: return device.peak_tflops_f16;
    case DType::kE4m3Fp32:
    case DType::kE4m3Fp16Fp32: return 2 * device.peak_tflops_f16;
    case DType::kTf32Fp32: return device.peak_tflops_tf32;
    case DType::kF32: return device.peak_tflops_f32;
  }
  return device.peak_tflops_f32;
}

double BlocksPerSm(const CompiledKernel& kernel, const DeviceFacts& device) {
  const std::int64_t threads = 32 * std::max(1, kernel.num_warps);
  std::int64_t blocks = std::min(kBlocksPerSm, kWarpsPerSm / std::max(1, kernel.num_warps));
  if (kernel.registers > 0) {
    blocks = std::min(blocks, device.registers_per_sm / (kernel.registers * threads));
  }
  if (device.shared_bytes_per_sm > 0) {
    blocks = std::min(blocks, device.shared_bytes_per_sm /
                                  (kernel.shared_bytes + kReservedSharedBytes));
  }
  return static_cast<double>(std::max<std::int64_t>(1, blocks));
}

double Programs(const LaunchStep& step) {
  return static_cast<double>(step.grid[0]) * static_cast<double>(step.grid[1]) *
         static_cast<double>(step.grid[2]);
}

double LaunchMillis(const CompiledKernel& kernel, double programs, double flops, double bytes,
                    const ShapeKey& shape, const DeviceFacts& device) {
  const double sms = std::max(1, device.sm_count);
  const double blocks_per_sm = BlocksPerSm(kernel, device);
  const double blocks = programs * std::max(1, kernel.num_ctas);
  const double slots = blocks_per_sm * sms;
  const double waves = std::ceil(blocks / slots);
  // How much of the chip the average wave fills.
  const double filled = blocks / (waves * slots);
  const double warps = std::min(blocks_per_sm, std::ceil(blocks / sms)) * kernel.num_warps;
  const double rate = device.memory_gb_per_s * 1e9;
  const double needed = rate / sms * kLatencySeconds;
  const double in_flight = std::clamp(kBytesPerRegister * (kernel.registers - kRegistersOfItsOwn),
                                      kLeastInFlight, kMostInFlight);
  const double memory = std::min(1.0, warps * 32 * in_flight / needed);
  const double compute = std::min(1.0, warps / kWarpsForCompute);
  // A spilled byte is written and read once by each thread, mostly in the L2.
  const double spilled = 2.0 * kernel.local_bytes * 32 * kernel.num_warps * blocks;
  const double memory_ms = 1e3 * (bytes + spilled) / (rate * kMemoryShare * memory);
  const double compute_ms = 1e3 * flops / (PeakTflops(shape, device) * 1e12 * kComputeShare * compute);
  // A memory-bound kernel's tail overlaps with nothing, but others' loads fill most of it.
  return kLaunchMs + std::max(memory_ms / std::max(filled, 0.8), compute_ms / filled);
}

}  // namespace

double PredictPlanMillis(const ShapeKey& shape, const DeviceFacts& device, const LaunchPlan& plan) {
  double programs = 0;
  for (const PlanStep& step : plan.steps) {
    if (const auto* launch = std::get_if<LaunchStep>(&step)) programs += Programs(*launch);
  }
  double bytes = shape.CompulsoryBytes();
  double scratch = 0;
  for (const PlanBuffer& buffer : plan.buffers) {
    (buffer.scratch ? scratch : bytes) +=
        buffer.scratch || shape.CompulsoryBytes() == 0 ? static_cast<double>(buffer.bytes) : 0;
  }
  double total = 0;
  for (const PlanStep& step : plan.steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) {
      total += kLaunchMs;
      continue;
    }
    const double share = programs > 0 ? Programs(*launch) / programs : 1;
    const CompiledKernel& kernel = plan.kernels[static_cast<std::size_t>(launch->kernel)];
    total += LaunchMillis(kernel, Programs(*launch), shape.Flops() * share,
                          (bytes + 2 * scratch) * share, shape, device);
  }
  return total;
}

}  // namespace croq::search
