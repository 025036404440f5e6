#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/launch_plan.h"

namespace croq::runner {

/// The parameters of one launch, each in storage of its own, as cuLaunchKernelEx takes them.
/// Storage is zeroed first: a truth value is one byte or four, by Triton's version, and both then
/// read right.
class ArgumentBlock {
 public:
  void AddPointer(CUdeviceptr value) { Add(&value, sizeof value); }
  void AddInt32(std::int32_t value) { Add(&value, sizeof value); }
  void AddInt64(std::int64_t value) { Add(&value, sizeof value); }
  void AddTensorMap(const CUtensorMap& map) { Add(&map, sizeof map); }
  /// By the type's Triton name. Error: an unknown type, or a value that does not fit.
  Status AddScalar(const ScalarArgument& scalar);

  /// For kernelParams. Stays good until the next Add or the block's end; moving the block is fine.
  void** Pointers();

  std::size_t count() const { return slots_.size(); }
  /// Bytes of parameter i as the kernel declares it.
  std::size_t size(std::size_t i) const { return sizes_[i]; }
  const void* slot(std::size_t i) const { return slots_[i].bytes.data(); }

 private:
  /// A CUtensorMap wants 64 or 128 bytes of alignment, by cuda.h's version.
  struct alignas(128) Slot {
    std::array<std::byte, 128> bytes{};
  };

  void Add(const void* value, std::size_t bytes);

  std::vector<Slot> slots_;
  std::vector<std::size_t> sizes_;
  std::vector<void*> pointers_;
};

/// IEEE binary16 bits of a value, ties to even.
std::uint16_t HalfBits(double value);

}  // namespace croq::runner
