#pragma once

#include <string>
#include <string_view>

#include "croq/base/result.h"

namespace croq::backend {

/// What a cubin says of one of its kernels.
struct CubinInfo {
  int registers = 0;    ///< per thread, as ptxas allocated them
  int frame_bytes = 0;  ///< stack frame in local memory per thread: spills, indexed arrays
  int stack_bytes = 0;  ///< least stack with all callees (EIATTR_MIN_STACK_SIZE), 0 where absent

  /// Local memory per thread; above 0 means spills or a frame.
  int LocalBytes() const { return frame_bytes > stack_bytes ? frame_bytes : stack_bytes; }
};

/// Reads the ELF image of a cubin: section .nv.info holds attributes, each with the symbol that it
/// is about (the attribute numbers are those that cuobjdump -elf names; NVIDIA documents none).
/// Errors: not a 64-bit little-endian ELF, damaged tables, no such kernel, no register count.
Result<CubinInfo> ReadCubinInfo(std::string_view cubin, const std::string& kernel);

}  // namespace croq::backend
