#pragma once

#include <cuda.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "croq/base/result.h"
#include "croq_runner/driver.h"

/// Owners of the driver's objects: move-only, released in the destructor. A failing release is not
/// reported (after a sticky error every one fails, and the process ends). Each keeps a pointer to
/// the Driver, which must outlive it.
namespace croq::runner {

/// The device's primary context, retained and current on the calling thread. It is the one cuBLAS
/// uses too. Other threads must call MakeCurrent.
class Context {
 public:
  static Result<Context> Create(const Driver& driver, int ordinal);
  Context(Context&& other) noexcept;
  Context& operator=(Context&&) = delete;
  ~Context();

  Status MakeCurrent() const;
  CUdevice device() const { return device_; }
  CUcontext get() const { return context_; }

 private:
  Context(const Driver& driver, CUdevice device, CUcontext context)
      : driver_(&driver), device_(device), context_(context) {}
  const Driver* driver_;
  CUdevice device_;
  CUcontext context_;
};

/// Bytes of device memory, aligned to at least 256.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// An allocation that fails says how much was wanted for `what` and how much is free.
  static Result<DeviceBuffer> Create(const Driver& driver, std::size_t bytes,
                                     std::string_view what);
  DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer() { Free(); }

  CUdeviceptr get() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }
  void Free();

 private:
  const Driver* driver_ = nullptr;
  CUdeviceptr pointer_ = 0;
  std::size_t bytes_ = 0;
};

/// Page-locked host memory.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  static Result<PinnedBuffer> Create(const Driver& driver, std::size_t bytes);
  PinnedBuffer(PinnedBuffer&& other) noexcept { *this = std::move(other); }
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;
  ~PinnedBuffer() { Free(); }

  void* get() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }
  void Free();

 private:
  const Driver* driver_ = nullptr;
  void* pointer_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A loaded cubin or PTX.
class Module {
 public:
  Module() = default;
  /// `image` is a cubin (its length is in it) or PTX text that ends in a zero byte. `what` names it
  /// in errors; a PTX that does not assemble gives the driver's log too.
  static Result<Module> Load(const Driver& driver, const void* image, std::string_view what);
  Module(Module&& other) noexcept { *this = std::move(other); }
  Module& operator=(Module&& other) noexcept;
  ~Module() { Unload(); }

  CUmodule get() const { return module_; }
  Result<CUfunction> Function(const std::string& name) const;
  void Unload();

 private:
  const Driver* driver_ = nullptr;
  CUmodule module_ = nullptr;
};

/// Created with CU_STREAM_NON_BLOCKING: no ordering with the legacy default stream.
class Stream {
 public:
  Stream() = default;
  static Result<Stream> Create(const Driver& driver);
  Stream(Stream&& other) noexcept { *this = std::move(other); }
  Stream& operator=(Stream&& other) noexcept;
  ~Stream() { Destroy(); }

  CUstream get() const { return stream_; }
  void Destroy();

 private:
  const Driver* driver_ = nullptr;
  CUstream stream_ = nullptr;
};

/// An event that records time. One made with `timing` false only orders.
class Event {
 public:
  Event() = default;
  static Result<Event> Create(const Driver& driver, bool timing = true);
  Event(Event&& other) noexcept { *this = std::move(other); }
  Event& operator=(Event&& other) noexcept;
  ~Event() { Destroy(); }

  CUevent get() const { return event_; }
  void Destroy();

 private:
  const Driver* driver_ = nullptr;
  CUevent event_ = nullptr;
};

}  // namespace croq::runner
