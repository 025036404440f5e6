#pragma once

#include "croq/source/read_kernels.h"

namespace croq::source {

/// Inside the module: fills outline.launch_sites and launchers, and KernelInfo::called_by_kernels.
void ReadLaunches(const SyntaxTree& tree, const Names& names, const StaticValues& values,
                  const Kernels& kernels, Outline& outline);

}  // namespace croq::source
