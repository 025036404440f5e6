#include "croq/operators/resources.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "unit/operators/helpers.h"

namespace croq::operators {
namespace {

/// One line of shared_sm90.tsv: shape key, configuration, bytes that Triton 3.6 allocated.
struct Compiled {
  std::string key;
  std::string config;
  std::int64_t shared = 0;
};

std::vector<Compiled> Recorded() {
  std::ifstream in(SourceDir() / "tests" / "unit" / "operators" / "shared_sm90.tsv");
  std::vector<Compiled> list;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    Compiled compiled;
    std::string shared;
    std::getline(fields, compiled.key, '\t');
    std::getline(fields, compiled.config, '\t');
    std::getline(fields, shared);
    compiled.shared = std::stoll(shared);
    list.push_back(std::move(compiled));
  }
  return list;
}

std::int64_t Estimate(const Compiled& compiled) {
  const MatmulConfig config = Must(ReadMatmulConfig(Must(ParseConfig(compiled.config))));
  return EstimateResources(Problem(compiled.key), config).shared_bytes;
}

TEST(Resources, SharedMemoryIsNeverEstimatedAboveWhatTritonTook) {
  const std::vector<Compiled> list = Recorded();
  ASSERT_GT(list.size(), 400u);
  for (const Compiled& compiled : list) {
    EXPECT_LE(Estimate(compiled), compiled.shared) << compiled.key << " " << compiled.config;
  }
}

TEST(Resources, MostOfWhatDoesNotFitIsSeen) {
  const std::int64_t limit = H200().shared_bytes_per_block;
  int over = 0;
  int seen = 0;
  for (const Compiled& compiled : Recorded()) {
    if (compiled.shared <= limit) continue;
    ++over;
    seen += Estimate(compiled) > limit ? 1 : 0;
  }
  EXPECT_GT(over, 50);
  EXPECT_GE(seen, over * 9 / 10) << seen << " of " << over;
  RecordProperty("seen", seen);
  RecordProperty("over", over);
}

TEST(Resources, ASpecialisedKernelMultipliesWithTwoWarpGroups) {
  const MatmulConfig config = Must(
      ReadMatmulConfig(Configured(kPersistent, "WARP_SPECIALIZE=1 num_warps=4 BLOCK_N=256")));
  EXPECT_EQ(config.Threads(), 384);
  EXPECT_EQ(EstimateResources(Problem(kSquare), config).accumulators_per_thread, 128);
}

TEST(Resources, RegistersFollowTheBlock) {
  const MatmulConfig eight = Must(ReadMatmulConfig(Configured(kTiled)));
  const MatmulResources small = EstimateResources(Problem(kSquare), eight);
  EXPECT_EQ(small.accumulators_per_thread, 64);
  EXPECT_EQ(small.registers_per_thread, 255);
  const MatmulConfig sixteen = Must(ReadMatmulConfig(Configured(kTiled, "num_warps=16")));
  EXPECT_EQ(EstimateResources(Problem(kSquare), sixteen).registers_per_thread, 128);
}

}  // namespace
}  // namespace croq::operators
