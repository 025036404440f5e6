#include "croq/model/device.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace croq {
namespace {

TEST(GpuKey, IsTheContractsForm) {
  EXPECT_EQ(MakeGpuKey(90, "NVIDIA H200"), "sm90_NVIDIA_H200");
  EXPECT_EQ(MakeGpuKey(80, "NVIDIA A100-SXM4-80GB"), "sm80_NVIDIA_A100-SXM4-80GB");
  EXPECT_EQ(MakeGpuKey(89, "NVIDIA GeForce RTX 4090"), "sm89_NVIDIA_GeForce_RTX_4090");
  EXPECT_EQ(MakeGpuKey(120, "NVIDIA RTX PRO 6000 (Blackwell)"),
            "sm120_NVIDIA_RTX_PRO_6000_Blackwell");
}

TEST(GpuKey, NoPathCharactersNoEdgesNoRuns) {
  EXPECT_EQ(MakeGpuKey(90, "  a/b\\c  d "), "sm90_a_b_c_d");
  EXPECT_EQ(MakeGpuKey(90, "../x"), "sm90_.._x");
  EXPECT_EQ(MakeGpuKey(90, "a__b"), "sm90_a_b");
}

TEST(GpuKeyProperty, HoldsOnlyPlainCharacters) {
  EXPECT_TRUE(rc::check([](const std::string& name) {
    const std::string key = MakeGpuKey(90, name);
    RC_ASSERT(key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789._-") == std::string::npos);
    RC_ASSERT(key.find("__") == std::string::npos);
  }));
}

TEST(OfflineDevice, HasAnH200sFigures) {
  const Result<DeviceFacts> device = OfflineDevice(90);
  ASSERT_TRUE(device.has_value());
  EXPECT_EQ(device->key, "sm90_offline");
  EXPECT_EQ(device->sm_count, 132);
  EXPECT_EQ(device->shared_bytes_per_block, 232448);
  EXPECT_FALSE(device->measured);
}

TEST(OfflineDevice, AnotherTargetListsWhatThereIs) {
  const Result<DeviceFacts> device = OfflineDevice(80);
  ASSERT_FALSE(device.has_value());
  EXPECT_EQ(device.error().kind, ErrorKind::kUsage);
  EXPECT_NE(device.error().message.find("sm80"), std::string::npos);
  EXPECT_NE(device.error().message.find("offline:sm90"), std::string::npos);
}

}  // namespace
}  // namespace croq
