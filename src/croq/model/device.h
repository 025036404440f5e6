#pragma once

#include <cstdint>
#include <string>

#include "croq/base/result.h"

namespace croq {

/// What is known of the device that candidates are made for. For `cuda:N` the runner reads it from
/// the driver; for `offline:smXX` it is a table (model/device.cc).
struct DeviceFacts {
  std::string key;                    ///< GPU key, `sm90_NVIDIA_H200`; offline: `sm90_offline`
  std::string name;                   ///< as the driver names it
  int compute_capability = 0;         ///< 90 for sm_90
  int sm_count = 0;
  std::int64_t shared_bytes_per_block = 0;  ///< opt-in limit of one block
  std::int64_t shared_bytes_per_sm = 0;
  std::int64_t registers_per_sm = 65536;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t memory_free_bytes = 0;
  double peak_tflops_f16 = 0;         ///< dense tensor rate, f16 and bf16, at boost clock
  double peak_tflops_tf32 = 0;
  double peak_tflops_f32 = 0;         ///< FMA rate outside the tensor cores
  double memory_gb_per_s = 0;         ///< measured copy rate where known, datasheet otherwise
  int driver_version = 0;             ///< cuDriverGetVersion(), 13000; 0 offline
  bool measured = false;              ///< true for a real device
};

/// `sm90_NVIDIA_H200` from 90 and "NVIDIA H200": every run of characters outside [A-Za-z0-9.-]
/// becomes one underscore.
std::string MakeGpuKey(int compute_capability, const std::string& name);

/// The figures that `offline:sm<compute_capability>` stands for (datasheets, none measured). Usage
/// error that lists the targets there are.
Result<DeviceFacts> OfflineDevice(int compute_capability);

}  // namespace croq
