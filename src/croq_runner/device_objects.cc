#include "croq_runner/device_objects.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace croq::runner {

Result<Context> Context::Create(const Driver& driver, int ordinal) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CROQ_TRY(driver.Check(driver.DeviceGet(&device, ordinal),
                        fmt::format("cuDeviceGet of device {}", ordinal)));
  CROQ_TRY(driver.Check(driver.DevicePrimaryCtxRetain(&context, device),
                        fmt::format("cuDevicePrimaryCtxRetain on device {}", ordinal)));
  Context result(driver, device, context);
  CROQ_TRY(result.MakeCurrent());
  return result;
}

Context::Context(Context&& other) noexcept
    : driver_(other.driver_),
      device_(other.device_),
      context_(std::exchange(other.context_, nullptr)) {}

Context::~Context() {
  if (context_ != nullptr) driver_->DevicePrimaryCtxRelease(device_);
}

Status Context::MakeCurrent() const {
  return driver_->Check(driver_->CtxSetCurrent(context_), "cuCtxSetCurrent");
}

Result<DeviceBuffer> DeviceBuffer::Create(const Driver& driver, std::size_t bytes,
                                          std::string_view what) {
  DeviceBuffer result;
  result.driver_ = &driver;
  result.bytes_ = bytes;
  if (bytes == 0) return result;
  const CUresult outcome = driver.MemAlloc(&result.pointer_, bytes);
  if (outcome == CUDA_SUCCESS) return result;
  result.pointer_ = 0;
  std::size_t free = 0;
  std::size_t total = 0;
  driver.MemGetInfo(&free, &total);
  return Failure(fmt::format("{} bytes of device memory for {} could not be had ({} bytes of {} "
                             "are free): {}",
                             bytes, what, free, total, driver.Describe(outcome)));
}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  if (this == &other) return *this;
  Free();
  driver_ = other.driver_;
  pointer_ = std::exchange(other.pointer_, 0);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void DeviceBuffer::Free() {
  if (pointer_ != 0) driver_->MemFree(std::exchange(pointer_, 0));
  bytes_ = 0;
}

Result<PinnedBuffer> PinnedBuffer::Create(const Driver& driver, std::size_t bytes) {
  PinnedBuffer result;
  result.driver_ = &driver;
  CROQ_TRY(driver.Check(driver.MemHostAlloc(&result.pointer_, bytes, 0),
                        fmt::format("cuMemHostAlloc of {} bytes", bytes)));
  result.bytes_ = bytes;
  return result;
}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  if (this == &other) return *this;
  Free();
  driver_ = other.driver_;
  pointer_ = std::exchange(other.pointer_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void PinnedBuffer::Free() {
  if (pointer_ != nullptr) driver_->MemFreeHost(std::exchange(pointer_, nullptr));
  bytes_ = 0;
}

Result<Module> Module::Load(const Driver& driver, const void* image, std::string_view what) {
  std::array<char, 4096> log{};
  // The driver takes numbers as pointer values here.
  std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER,
                                      CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  Module result;
  result.driver_ = &driver;
  const CUresult outcome = driver.ModuleLoadDataEx(
      &result.module_, image, static_cast<unsigned>(options.size()), options.data(), values.data());
  if (outcome == CUDA_SUCCESS) return result;
  result.module_ = nullptr;
  log.back() = '\0';
  return Failure(fmt::format("{} could not be loaded: {}{}{}", what, driver.Describe(outcome),
                             log.front() != '\0' ? ": " : "", log.data()));
}

Module& Module::operator=(Module&& other) noexcept {
  if (this == &other) return *this;
  Unload();
  driver_ = other.driver_;
  module_ = std::exchange(other.module_, nullptr);
  return *this;
}

Result<CUfunction> Module::Function(const std::string& name) const {
  CUfunction function = nullptr;
  CROQ_TRY(driver_->Check(driver_->ModuleGetFunction(&function, module_, name.c_str()),
                          fmt::format("cuModuleGetFunction of {}", name)));
  return function;
}

void Module::Unload() {
  if (module_ != nullptr) driver_->ModuleUnload(std::exchange(module_, nullptr));
}

Result<Stream> Stream::Create(const Driver& driver) {
  Stream result;
  result.driver_ = &driver;
  CROQ_TRY(driver.Check(driver.StreamCreate(&result.stream_, CU_STREAM_NON_BLOCKING),
                        "cuStreamCreate"));
  return result;
}

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this == &other) return *this;
  Destroy();
  driver_ = other.driver_;
  stream_ = std::exchange(other.stream_, nullptr);
  return *this;
}

void Stream::Destroy() {
  if (stream_ != nullptr) driver_->StreamDestroy(std::exchange(stream_, nullptr));
}

Result<Event> Event::Create(const Driver& driver, bool timing) {
  Event result;
  result.driver_ = &driver;
  CROQ_TRY(driver.Check(
      driver.EventCreate(&result.event_, timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING),
      "cuEventCreate"));
  return result;
}

Event& Event::operator=(Event&& other) noexcept {
  if (this == &other) return *this;
  Destroy();
  driver_ = other.driver_;
  event_ = std::exchange(other.event_, nullptr);
  return *this;
}

void Event::Destroy() {
  if (event_ != nullptr) driver_->EventDestroy(std::exchange(event_, nullptr));
}

}  // namespace croq::runner
