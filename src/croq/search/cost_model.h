#pragma once

#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/shape_key.h"
#include "croq/search/tile_facts.h"

namespace croq::search {

/// A predicted time with what it is made of; all in ms.
struct Prediction {
  double total_ms = 0;
  double sm_ms = 0;      ///< the busiest SM: its tiles, one batch of resident blocks after another
  double memory_ms = 0;  ///< device memory
  double overhead_ms = 0;  ///< launch and the first fill; adding up the parts of a split K
  double waves = 0;        ///< tiles over what all SMs hold at once
  int blocks_per_sm = 1;
};

/// Predicts a matmul's time on a device, from the configuration alone or with what the compiler
/// gave.
///
/// The K loop runs at the pace of the slowest of three: the matrix units (narrow instructions do
/// not fill them), the L2 feeding the SM, and the latency of a load over the stages and the blocks
/// that hide it. A tile adds its fill and its store; an SM works its tiles off in batches of
/// resident blocks, so that a short last wave costs a whole one. Device memory is the other bound:
/// each wave reads the rows and columns of tiles that GROUP_M gives it.
///
/// On 1,576 recorded times of one H200 (f16, seven shapes; host-bound rows left out) the rank
/// correlation is 0.86 to 0.96, at 1024^3 (41 rows) 0.70, and the best of the model's first 16 is
/// within 1.3% of the best recorded. With the constants fitted without the shape that is judged:
/// 0.91 to 0.96, but 0.62 for the one memory-bound shape, the first 16 as good. A single figure is
/// off by 13 to 22%. It ranks; it does not measure.
Prediction Predict(const ShapeKey& shape, const DeviceFacts& device, const Config& config,
                   const BuiltResources* built = nullptr);

double PredictMillis(const ShapeKey& shape, const DeviceFacts& device, const Config& config,
                     const BuiltResources* built = nullptr);

}  // namespace croq::search
