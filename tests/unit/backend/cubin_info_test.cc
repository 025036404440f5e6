#include "croq/backend/cubin_info.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
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
  EXPECT_FALSE(ReadCubinInfo(std::string("\x7f"
                                         "ELF",
                                         4),
                             "k"));
}

/// Where the section headers end; behind them lie program headers, which nobody reads.
std::size_t EndOfSectionHeaders(const std::string& cubin) {
  Elf64_Ehdr header;
  std::memcpy(&header, cubin.data(), sizeof header);
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

TEST(CubinInfoTest, ACutFileIsAnErrorAtEveryLength) {
  const std::string whole = Data("matmul_sm90.cubin");
  ASSERT_FALSE(whole.empty());
  for (std::size_t size = 0; size < EndOfSectionHeaders(whole); size += 13) {
    EXPECT_FALSE(ReadCubinInfo(whole.substr(0, size), "matmul_kernel")) << size;
  }
}

TEST(CubinInfoTest, DamageNeverReadsOutsideTheFile) {
  const std::string whole = Data("spilling_sm80.cubin");
  const std::size_t end = EndOfSectionHeaders(whole);
  std::mt19937 random(7);
  int readable = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = whole;
    // Anywhere, in the ELF header, or in the section headers: the latter two reach the most code.
    const std::size_t low = round % 3 == 2 ? end - 1500 : 0;
    const std::size_t span = round % 3 == 0 ? whole.size() : round % 3 == 1 ? 64 : 1500;
    for (int i = 0; i < 3; ++i) damaged[low + random() % span] = static_cast<char>(random());
    readable += ReadCubinInfo(damaged, "matmul_kernel") ? 1 : 0;  // Sanitizers watch.
  }
  EXPECT_GT(readable, 100);
  EXPECT_LT(readable, 3900);
}

}  // namespace
}  // namespace croq::backend
