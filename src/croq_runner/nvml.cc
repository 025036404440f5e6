#include "croq_runner/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace croq::runner {
namespace {

// From NVIDIA's nvml.h (NVML API reference): a status is an int, 0 being success; a device is an
// opaque pointer; NVML_CLOCK_SM of nvmlClockType_t is 1.
using NvmlDevice = void*;
constexpr int kSuccess = 0;
constexpr int kClockSm = 1;

template <typename Function>
bool Found(void* library, const char* symbol, Function* function) {
  *function = reinterpret_cast<Function>(::dlsym(library, symbol));
  return *function != nullptr;
}

}  // namespace

struct Nvml::Api {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*handle_by_bus_id)(const char*, NvmlDevice*) = nullptr;
  int (*clock_info)(NvmlDevice, int, unsigned*) = nullptr;
  int (*throttle_reasons)(NvmlDevice, unsigned long long*) = nullptr;
  NvmlDevice device = nullptr;
  bool initialised = false;
};

Nvml::Nvml() : api_(std::make_unique<Api>()) {}

Nvml::~Nvml() {
  if (api_->initialised) api_->shutdown();
}

Result<std::unique_ptr<Nvml>> Nvml::Open(const Driver& driver, int ordinal) {
  const char* chosen = std::getenv("CROQ_LIBNVML");
  const std::string path = chosen != nullptr && *chosen != '\0' ? chosen : "libnvidia-ml.so.1";
  void* library = ::dlopen(path.c_str(), RTLD_NOW);
  if (library == nullptr) {
    const char* why = ::dlerror();
    return Failure(fmt::format("{} could not be opened: {}", path, why != nullptr ? why : ""));
  }
  std::unique_ptr<Nvml> nvml(new Nvml());
  Api& api = *nvml->api_;
  const bool complete =
      Found(library, "nvmlInit_v2", &api.init) &&
      Found(library, "nvmlShutdown", &api.shutdown) &&
      Found(library, "nvmlErrorString", &api.error_string) &&
      Found(library, "nvmlDeviceGetHandleByPciBusId_v2", &api.handle_by_bus_id) &&
      Found(library, "nvmlDeviceGetClockInfo", &api.clock_info);
  if (!complete) return Failure(fmt::format("{} lacks a function of NVML", path));
  // Renamed in CUDA 12; drivers keep the old name beside the new.
  if (!Found(library, "nvmlDeviceGetCurrentClocksEventReasons", &api.throttle_reasons)) {
    Found(library, "nvmlDeviceGetCurrentClocksThrottleReasons", &api.throttle_reasons);
  }
  if (const int status = api.init(); status != kSuccess) {
    return Failure(fmt::format("nvmlInit: {}", api.error_string(status)));
  }
  api.initialised = true;

  CUdevice device = 0;
  std::array<char, 32> bus_id{};
  CROQ_TRY(driver.Check(driver.DeviceGet(&device, ordinal), "cuDeviceGet"));
  CROQ_TRY(driver.Check(
      driver.DeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device),
      "cuDeviceGetPCIBusId"));
  if (const int status = api.handle_by_bus_id(bus_id.data(), &api.device); status != kSuccess) {
    return Failure(fmt::format("NVML does not know the device at PCI {}: {}", bus_id.data(),
                               api.error_string(status)));
  }
  return nvml;
}

ClockReading Nvml::Read() const {
  ClockReading reading;
  unsigned clock = 0;
  if (api_->clock_info(api_->device, kClockSm, &clock) == kSuccess) {
    reading.sm_clock_mhz = static_cast<int>(clock);
  }
  unsigned long long reasons = 0;
  if (api_->throttle_reasons != nullptr &&
      api_->throttle_reasons(api_->device, &reasons) == kSuccess) {
    reading.throttle_reasons = reasons;
  }
  return reading;
}

}  // namespace croq::runner
