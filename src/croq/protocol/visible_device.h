#pragma once

#include "croq/model/device.h"

/// Inside the module's .cc files: beside fields.h.
namespace croq::protocol {

/// The part of the device that a candidate's host code may see. A type of its own: DeviceFacts has
/// another, complete form in runner replies.
struct VisibleDevice {
  DeviceFacts facts;
};

template <typename V>
void Describe(V& visit, typename V::template Ref<VisibleDevice> device) {
  visit("name", device.facts.name);
  visit("compute_capability", device.facts.compute_capability);
  visit("sm_count", device.facts.sm_count);
  visit("shared_bytes_per_block", device.facts.shared_bytes_per_block);
  visit("l2_bytes", device.facts.l2_bytes);
  visit("memory_bytes", device.facts.memory_bytes);
}

/// The field "device" of a request.
template <typename V, typename Device>
void DescribeDevice(V& visit, Device& facts) {
  if constexpr (V::kReads) {
    VisibleDevice device;
    visit("device", device);
    facts = device.facts;
  } else {
    visit("device", VisibleDevice{facts});
  }
}

}  // namespace croq::protocol
