#include "croq_runner/device_facts.h"

#include <fmt/format.h>

#include <array>

namespace croq::runner {
namespace {

Result<int> Read(const Driver& driver, CUdevice device, CUdevice_attribute id, const char* name) {
  int value = 0;
  CROQ_TRY(driver.Check(driver.DeviceGetAttribute(&value, id, device),
                        fmt::format("cuDeviceGetAttribute of {}", name)));
  return value;
}

/// TFLOPS from operations a clock and SM.
double Peak(int per_clock, int sm_count, int clock_khz) {
  return 1e-9 * static_cast<double>(per_clock) * sm_count * clock_khz;
}

Status ReadRates(const Driver& driver, CUdevice device, DeviceFacts* facts) {
  CROQ_ASSIGN(const int clock_khz,
              Read(driver, device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, "the SM clock"));
  CROQ_ASSIGN(const int memory_khz,
              Read(driver, device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, "the memory clock"));
  CROQ_ASSIGN(const int bus_bits, Read(driver, device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH,
                                       "the memory bus width"));
  const SmRates rates = RatesOf(facts->compute_capability);
  facts->peak_tflops_f16 = Peak(rates.f16, facts->sm_count, clock_khz);
  facts->peak_tflops_tf32 = Peak(rates.tf32, facts->sm_count, clock_khz);
  facts->peak_tflops_f32 = Peak(rates.f32, facts->sm_count, clock_khz);
  // Two transfers a clock and pin, whatever the memory's kind: the driver reports the clock so.
  facts->memory_gb_per_s = 2e-6 * static_cast<double>(memory_khz) * bus_bits / 8;
  return {};
}

Status ReadSizes(const Driver& driver, CUdevice device, DeviceFacts* facts) {
  CROQ_ASSIGN(facts->sm_count, Read(driver, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                    "the SM count"));
  CROQ_ASSIGN(facts->shared_bytes_per_block,
              Read(driver, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                   "shared memory a block"));
  CROQ_ASSIGN(facts->shared_bytes_per_sm,
              Read(driver, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
                   "shared memory an SM"));
  CROQ_ASSIGN(facts->registers_per_sm,
              Read(driver, device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
                   "registers an SM"));
  CROQ_ASSIGN(facts->l2_bytes,
              Read(driver, device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, "the L2 size"));
  std::size_t total = 0;
  CROQ_TRY(driver.Check(driver.DeviceTotalMem(&total, device), "cuDeviceTotalMem"));
  facts->memory_bytes = static_cast<std::int64_t>(total);
  std::size_t free = 0;
  if (driver.MemGetInfo(&free, &total) == CUDA_SUCCESS) {
    facts->memory_free_bytes = static_cast<std::int64_t>(free);
  }
  return {};
}

}  // namespace

SmRates RatesOf(int compute_capability) {
  switch (compute_capability) {
    case 70:
    case 72:
      return {1024, 0, 128};  // V100 datasheet: 125 TFLOPS, 80 SMs, 1530 MHz
    case 75:
      return {1024, 0, 128};  // T4: 65 TFLOPS, 40 SMs, 1590 MHz
    case 80:
      return {2048, 1024, 128};  // A100: 312 and 156 TFLOPS, 108 SMs, 1410 MHz
    case 86:
    case 87:
    case 89:
      return {1024, 512, 256};  // A40: 149.7, 74.8; L40S: 362, 183 TFLOPS, 142 SMs, 2520 MHz
    case 90:
      return {4096, 2048, 256};  // H100 SXM: 989.4, 494.7 TFLOPS, 132 SMs, 1830 MHz
    case 100:
    case 101:
    case 103:
      return {8192, 4096, 256};  // B200: 2250, 1120 TFLOPS
    case 120:
    case 121:
      return {1024, 512, 256};  // RTX PRO 6000 Blackwell
    default:
      break;
  }
  return compute_capability > 90 ? SmRates{8192, 4096, 256} : SmRates{0, 0, 128};
}

Result<DeviceFacts> ReadDeviceFacts(const Driver& driver, int ordinal) {
  CUdevice device = 0;
  CROQ_TRY(driver.Check(driver.DeviceGet(&device, ordinal),
                        fmt::format("cuDeviceGet of device {}", ordinal)));
  DeviceFacts facts;
  std::array<char, 256> name{};
  CROQ_TRY(driver.Check(
      driver.DeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device),
      "cuDeviceGetName"));
  facts.name = name.data();
  CROQ_ASSIGN(const int major,
              Read(driver, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, "capability"));
  CROQ_ASSIGN(const int minor,
              Read(driver, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, "capability"));
  facts.compute_capability = 10 * major + minor;
  facts.key = MakeGpuKey(facts.compute_capability, facts.name);
  CROQ_TRY(ReadSizes(driver, device, &facts));
  CROQ_TRY(ReadRates(driver, device, &facts));
  facts.driver_version = driver.version();
  facts.measured = true;
  return facts;
}

}  // namespace croq::runner
