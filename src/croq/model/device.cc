#include "croq/model/device.h"

#include <fmt/format.h>

namespace croq {
namespace {

bool IsPlain(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-';
}

/// NVIDIA's datasheet of the H200 SXM: dense rates at boost clock, without sparsity.
DeviceFacts OfflineH200() {
  DeviceFacts device;
  device.key = "sm90_offline";
  device.name = "offline sm_90 (figures of an H200)";
  device.compute_capability = 90;
  device.sm_count = 132;
  device.shared_bytes_per_block = 232448;
  device.shared_bytes_per_sm = 233472;
  device.l2_bytes = std::int64_t{60} << 20;
  device.memory_bytes = 141'000'000'000;
  device.memory_free_bytes = device.memory_bytes;
  device.peak_tflops_f16 = 989;
  device.peak_tflops_tf32 = 495;
  device.peak_tflops_f32 = 67;
  device.memory_gb_per_s = 4800;
  return device;
}

}  // namespace

std::string MakeGpuKey(int compute_capability, const std::string& name) {
  std::string plain;
  for (const char c : name) {
    if (IsPlain(c)) {
      plain += c;
    } else if (!plain.empty() && plain.back() != '_') {
      plain += '_';
    }
  }
  while (!plain.empty() && plain.back() == '_') plain.pop_back();
  return fmt::format("sm{}_{}", compute_capability, plain);
}

Result<DeviceFacts> OfflineDevice(int compute_capability) {
  if (compute_capability == 90) return OfflineH200();
  return UsageFailure(fmt::format("there is no offline device sm{}: there is offline:sm90",
                                  compute_capability));
}

}  // namespace croq
