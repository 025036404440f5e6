#include "croq/backend/cubin_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support/processes.h"

namespace croq::backend {
namespace {

using ::testing::HasSubstr;

std::string Data(const std::string& name) {
  return croq::testing::ReadText(std::string(CROQ_SOURCE_DIR) + "/tests/data/" + name);
}

// The expected figures are those of cuobjdump -res-usage; tests/data/README.md.

TEST(CubinInfoTest, ReadsRegistersOfAKernelWithoutSpills) {
  const auto info = ReadCubinInfo(Data("matmul_sm90.cubin"), "matmul_kernel");
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->registers, 47);
  EXPECT_EQ(info->LocalBytes(), 0);
}

TEST(CubinInfoTest, ReadsTheFrameOfAKernelThatSpills) {
  const auto info = ReadCubinInfo(Data("spilling_sm80.cubin"), "matmul_kernel");
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->registers, 48);
  EXPECT_EQ(info->frame_bytes, 152);
  EXPECT_EQ(info->LocalBytes(), 152);
}

TEST(CubinInfoTest, AKernelThatIsNotThereIsNamed) {
  const auto info = ReadCubinInfo(Data("matmul_sm90.cubin"), "other_kernel");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().message, HasSubstr("other_kernel"));
}

TEST(CubinInfoTest, RefusesWhatIsNoCubin) {
  EXPECT_FALSE(ReadCubinInfo("", "k"));
  EXPECT_FALSE(ReadCubinInfo("// PTX text, not a cubin", "k"));
  EXPECT_FALSE(ReadCubinInfo(std::string("\x7f" "ELF", 4), "k"));
}

TEST(CubinInfoTest, ACutFileIsAnErrorAtEveryLength) {
  const std::string whole = Data("matmul_sm90.cubin");
  ASSERT_FALSE(whole.empty());
  // The section headers stand at the end, so every cut takes some of them away.
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    EXPECT_FALSE(ReadCubinInfo(whole.substr(0, size), "matmul_kernel")) << size;
  }
}

TEST(CubinInfoTest, DamageNeverReadsOutsideTheFile) {
  const std::string whole = Data("spilling_sm80.cubin");
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 20; ++i) {
      // Half of the damage where it hurts most: in the header and the section table.
      const std::size_t at = i % 2 == 0 ? random() % damaged.size()
                             : i % 4 == 1
                                 ? random() % 64
                                 : damaged.size() - 1 - random() % std::min<std::size_t>(
                                                                        damaged.size(), 2048);
      damaged[at] = static_cast<char>(random());
    }
    (void)ReadCubinInfo(damaged, "matmul_kernel");  // Sanitizers and the process watch.
  }
}

}  // namespace
}  // namespace croq::backend
