#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "croq/contract/contract.h"
#include "croq/model/device.h"
#include "croq/model/search_space.h"
#include "croq/model/shape_key.h"
#include "croq/profile/kernel_profile.h"
#include "croq/profile/ideas.h"

namespace croq::profile {

template <typename T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    std::abort();
  }
  return *std::move(result);
}

inline const contract::Contract& Triton() {
  static const contract::Contract contract = Must(
      contract::LoadContract(std::filesystem::path(CROQ_SOURCE_DIR) / "contracts" / "triton.toml"));
  return contract;
}

inline ShapeKey Shape(const std::string& text = "matmul_f16fp32_4096x4096x4096") {
  return Must(ParseShapeKey(text));
}

inline DeviceFacts H200() {
  DeviceFacts device = Must(OfflineDevice(90));
  device.sm_count = 132;
  device.shared_bytes_per_block = 232448;
  device.l2_bytes = 60ll << 20;
  return device;
}

inline LeverValue Number(std::int64_t value) { return value; }

inline Config Tiled() {
  return {"tiled",
          {{"BLOCK_M", Number(128)}, {"BLOCK_N", Number(128)}, {"BLOCK_K", Number(64)},
           {"GROUP_M", Number(8)}, {"num_warps", Number(8)}, {"num_stages", Number(3)},
           {"EVICT_A", std::string("none")}}};
}

/// Two structures: tiled and persistent.
inline SearchSpace Space() {
  const auto numbers = [](std::string name, std::initializer_list<std::int64_t> values) {
    Lever lever{std::move(name), {}};
    for (const std::int64_t value : values) lever.values.emplace_back(value);
    return lever;
  };
  const std::vector<Lever> shared{numbers("BLOCK_M", {64, 128, 256}),
                                  numbers("BLOCK_N", {64, 128, 256}),
                                  numbers("BLOCK_K", {32, 64}),
                                  numbers("GROUP_M", {1, 8}),
                                  numbers("num_warps", {4, 8}),
                                  numbers("num_stages", {2, 3, 4})};
  SearchSpace space;
  space.variants = {{"tiled", shared}, {"persistent", shared}};
  space.variants[0].levers.push_back({"EVICT_A", {std::string("none"), std::string("evict_last")}});
  space.variants[1].levers.push_back(numbers("WARP_SPECIALIZE", {0, 1}));
  return space;
}

inline KernelProfile Of(const std::string& bottleneck) {
  KernelProfile evidence;
  evidence.bottleneck = bottleneck;
  evidence.confidence = "high";
  return evidence;
}

}  // namespace croq::profile
