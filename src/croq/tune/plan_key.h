#pragma once

#include <string>

#include "croq/model/launch_plan.h"

namespace croq::tune {

/// Equal for plans that put the same work on the GPU: same cubins, grids, clusters, arguments and
/// other steps. Such plans are measured once.
std::string PlanKey(const LaunchPlan& plan);

}  // namespace croq::tune
