#include "croq/model/session_paths.h"

#include <gtest/gtest.h>

namespace croq {
namespace {

/// The contract's layout, to the letter.
TEST(SessionPaths, AreTheContracts) {
  const SessionPaths paths{"/o", "sm90_NVIDIA_H200", "triton", "matmul_f16fp32_1x2x3", "croq"};
  const std::string root = "/o/tuning/sm90_NVIDIA_H200/triton/";
  const std::string key = "/matmul_f16fp32_1x2x3/croq";
  EXPECT_EQ(paths.Source("iter001_tiled"), root + "srcs" + key + "/iter001_tiled.py");
  EXPECT_EQ(paths.BuildScript(1), root + "cmd" + key + "/build_iter001.sh");
  EXPECT_EQ(paths.RunScript(12), root + "cmd" + key + "/run_iter012.sh");
  EXPECT_EQ(paths.ProfileScript(1), root + "cmd" + key + "/profile_iter001.sh");
  EXPECT_EQ(paths.BuildLog(1), root + "perf" + key + "/build_iter001.txt");
  EXPECT_EQ(paths.TimingLog(0), root + "perf" + key + "/timing_iter000.txt");
  EXPECT_EQ(paths.ProfileReport(2), root + "perf" + key + "/ncu_iter002.ncu-rep");
  EXPECT_EQ(paths.ProfileCsv(2), root + "perf" + key + "/ncu_iter002.csv");
  EXPECT_EQ(paths.ProfileDetails(2), root + "perf" + key + "/ncu_iter002.details.csv");
  EXPECT_EQ(paths.Journal(), root + "logs" + key + "/journal.db");
  EXPECT_EQ(paths.Work(), root + "logs" + key + "/work");
}

}  // namespace
}  // namespace croq
