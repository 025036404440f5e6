#pragma once

#include <nlohmann/json_fwd.hpp>

#include "croq/base/result.h"
#include "croq/model/launch_plan.h"

namespace croq::protocol {

/// {"kernels": [...], "buffers": [...], "steps": [...]}; the shape is the same in captures and in
/// runner requests. Indexes (kernel, buffer, source, target) are checked against their lists.
nlohmann::json Encode(const LaunchPlan& plan);
Result<LaunchPlan> DecodeLaunchPlan(const nlohmann::json& json);

nlohmann::json Encode(const CompiledKernel& kernel);
Result<CompiledKernel> DecodeCompiledKernel(const nlohmann::json& json);

}  // namespace croq::protocol
