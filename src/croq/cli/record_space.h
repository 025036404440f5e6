#pragma once

#include "croq/model/search_space.h"
#include "croq/model/shape_key.h"

namespace croq::cli {

/// The part of a problem's space that `croq record` measures whole: the lever values that the best
/// kernels of all shapes seen have had. Levers that only break ties (eviction, clusters) are left at
/// their first value. docs/recordings.md lists it.
SearchSpace RecordedPart(SearchSpace space, const ShapeKey& shape);

}  // namespace croq::cli
