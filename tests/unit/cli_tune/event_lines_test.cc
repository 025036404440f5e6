// The lines of `croq tune --json`, to the letter: other programs read them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "croq/base/files.h"
#include "croq/cli/tune_observers.h"
#include "croq/tune/events.h"
#include "unit/cli_tune/output_file.h"

namespace croq::cli {
namespace {

using nlohmann::json;

constexpr const char* kSession = "sm90_NVIDIA_H200/triton/matmul_f16fp32_4096x4096x4096/croq";

Iteration MakeIteration() {
  Iteration iteration;
  iteration.number = 1;
  iteration.tag = "tiled_128x256x64_w8_s3";
  iteration.round = 1;
  iteration.config = "tiled BLOCK_K=64 BLOCK_M=128 BLOCK_N=256";
  iteration.decision = Decision::kKeep;
  iteration.idea = "tiled levers: fastest of 5 finalists";
  iteration.tflops = 712.5;
  iteration.time_ms = 0.1875;
  iteration.cold_ms = 0.203125;
  iteration.ratio = 1.03125;
  iteration.ratio_low = 1.015625;
  iteration.ratio_high = 1.046875;
  iteration.best_ratio = 1.25;
  iteration.script_tflops = 710.25;
  iteration.verified = true;
  iteration.max_abs_err = 0.00048828125;
  iteration.build.registers = 168;
  iteration.build.shared_bytes = 147456;
  return iteration;
}

Attempt MakeAttempt() {
  Attempt attempt;
  attempt.number = 1;
  attempt.tag = "tiled_64x64x64_w4_s3";
  attempt.config = "tiled BLOCK_K=64 BLOCK_M=64 BLOCK_N=64";
  attempt.outcome = Outcome::kCorrectness;
  attempt.reason = "its verify() failed: max_abs_err=0.25";
  attempt.log = "/out/logs/attempt0001_tiled_64x64x64_w4_s3.log";
  attempt.tries = 1;
  return attempt;
}

/// What a short run says, in order.
std::string Lines() {
  const OutputFile out;
  const auto observer = MakeTuneObserver(Presentation::kJson, out.get(), kSession);
  observer->OnEvent("note", {{"message", "resuming the session in /out/logs"}});
  observer->OnEvent("warning", {{"message", "\"5%\" apart \xC2\xB1 1"}});
  Iteration baseline;
  baseline.tag = "torch_matmul";
  baseline.config = "torch.matmul";
  baseline.tflops = 690;
  observer->OnEvent("baseline", tune::ToJson(baseline));
  observer->OnEvent("round", {{"round", 1}, {"trial_limit", 0}, {"second_limit", 16.0}});
  tune::Progress progress;
  progress.phase = "round 1: screening";
  progress.trials = 10;
  progress.trials_per_second = 40.5;
  progress.best = "tiled BLOCK_M=128";
  progress.best_tflops = 650.5;
  progress.share_of_cublas = 0.9375;
  progress.seconds_left = 12.5;
  observer->OnProgress(progress);
  observer->OnEvent("attempt", tune::ToJson(MakeAttempt()));
  json iteration = tune::ToJson(MakeIteration());
  iteration["path"] = "/out/srcs/iter001_tiled_128x256x64_w8_s3.py";
  iteration["ratio_cublas_lt_best"] = tune::ToJson(tune::Ratio{0.96875, 0.953125, 0.984375});
  observer->OnEvent("iteration", iteration);
  return std::regex_replace(out.Text(), std::regex(R"re("at":"[0-9TZ:.-]{24}")re"),
                            R"re("at":"TIME")re");
}

TEST(EventLines, AreAsTheGoldenFileSays) {
  const auto path = std::filesystem::path(CROQ_SOURCE_DIR) / "tests/golden/cli_tune/events.jsonl";
  if (std::getenv("CROQ_ACCEPT") != nullptr) {
    ASSERT_TRUE(MakeDirectories(path.parent_path()));
    ASSERT_TRUE(WriteFileAtomic(path, Lines()));
  }
  const Result<std::string> expected = ReadFile(path);
  ASSERT_TRUE(expected) << expected.error().message << "; CROQ_ACCEPT=1 writes it";
  EXPECT_EQ(Lines(), *expected);
}

TEST(EventLines, EachIsAnObjectWithTypeTimeAndSession) {
  std::istringstream lines(Lines());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const json event = json::parse(line);
    EXPECT_TRUE(event.at("event").is_string());
    EXPECT_EQ(event.at("at"), "TIME");
    EXPECT_EQ(event.at("session"), kSession);
  }
  EXPECT_EQ(count, 7);
}

}  // namespace
}  // namespace croq::cli
