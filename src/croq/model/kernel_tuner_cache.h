#pragma once

#include <string>

#include "croq/model/recording.h"

namespace croq {

/// Kernel Tuner's cache format (version 1.0.0), which its simulation mode reads. Variants are a
/// parameter `variant`; levers that a variant lacks are 0 there.
std::string KernelTunerCache(const Recording& recording);

}  // namespace croq
