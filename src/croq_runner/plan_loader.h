#pragma once

#include <cuda.h>

#include <cstdint>
#include <vector>

#include "croq/model/device.h"
#include "croq/model/launch_plan.h"
#include "croq_runner/argument_block.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/fault.h"

namespace croq::runner {

/// One kernel of a plan, loaded into the current context and made ready to be launched.
struct LoadedKernel {
  Module module;
  CUfunction function = nullptr;
};

/// Reads the cubin, loads it and sets what a launch needs (dynamic shared memory, cluster size).
/// Refused before the driver sees it: more shared memory than the device's opt-in limit, more
/// threads than the kernel was compiled for.
Ran<LoadedKernel> LoadKernel(const Driver& driver, const CompiledKernel& kernel,
                             const DeviceFacts& device);

/// Compares the block with the parameters that the kernel declares, in number and size; a kernel
/// launched with others reads beyond them. Where the driver can't tell (before CUDA 12.4) all is
/// taken as right.
Ran<void> CheckParameters(const Driver& driver, CUfunction function, const ArgumentBlock& block);

}  // namespace croq::runner
