#pragma once

#include "croq/model/device.h"
#include "croq/model/launch_plan.h"
#include "croq/model/shape_key.h"

namespace croq::search {

/// Predicts the time of a compiled launch plan of which only its worth is known: the bytes that
/// must cross device memory and the operations. Each kernel is bound by the slower of the two, as
/// far as the warps that fit on an SM (registers, shared memory, cluster) can keep it busy; spills
/// add their own traffic, a short last wave costs a whole one, and a launch costs its launch. A plan
/// of several kernels shares the worth by their programs. Where nothing is stated, the plan's
/// buffers are read or written once.
///
/// It ranks configurations of one file; the figure itself is a guess.
double PredictPlanMillis(const ShapeKey& shape, const DeviceFacts& device, const LaunchPlan& plan);

}  // namespace croq::search
