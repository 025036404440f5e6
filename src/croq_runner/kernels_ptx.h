#pragma once

namespace croq::runner {

/// kernels.ptx, zero-terminated; a source file that the build makes from it holds it.
extern const char kKernelsPtx[];

}  // namespace croq::runner
