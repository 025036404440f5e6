#pragma once

#include "croq/model/device.h"
#include "croq/model/shape_key.h"

namespace croq::profile {

/// Floating-point operations a second that the device can do of this dtype at a clock. On sm_90 a
/// cycle and SM give 4096 of f16 and bf16, 2048 of tf32 (NVIDIA H100 whitepaper: 989.4 TFLOPS over
/// 132 SMs at 1830 MHz) and 256 of f32 (128 FMA units). Elsewhere, or where no clock was measured,
/// the device's stated peak; 0 where there is none.
double PeakFlops(const DeviceFacts& device, DType dtype, int sm_clock_mhz);

/// The least time in ms that the roofline allows: the larger of operations over PeakFlops and
/// compulsory bytes over the measured copy rate. 0 where neither is known.
double FloorMillis(const DeviceFacts& device, const ShapeKey& shape, int sm_clock_mhz);

}  // namespace croq::profile
