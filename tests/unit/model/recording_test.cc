#include "croq/model/recording.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/model/kernel_tuner_cache.h"

namespace croq {
namespace {

using ::testing::HasSubstr;

Config Tile(std::int64_t block) { return {"tiled", {{"BLOCK_M", block}, {"EVICT_A", "none"}}}; }

Recording SmallRecording() {
  Recording recording;
  recording.shape = ParseShapeKey("matmul_f16fp32_64x64x64").value();
  recording.device = OfflineDevice(90).value();
  recording.triton = "3.6.0";
  recording.date = "2026-12-01";
  recording.cublas_ms = 0.0051;
  recording.cublas_lt_ms = 0.0049;
  recording.workers = 16;
  recording.whole = true;
  recording.space = {{"tiled",
                      {{"BLOCK_M", {std::int64_t{32}, std::int64_t{64}, std::int64_t{128}}},
                       {"EVICT_A", {std::string("none")}}}},
                     {"descriptor", {{"BLOCK_M", {std::int64_t{64}}}}}};
  recording.trials = {{Tile(32), Outcome::kCorrect, 0.0141, 274.6, 8.8},
                      {Tile(64), Outcome::kCompile, 0, 310, 0},
                      {{"descriptor", {{"BLOCK_M", std::int64_t{64}}}}, Outcome::kCorrect, 0.0062, 290,
                       7.1}};
  return recording;
}

class RecordingFile : public ::testing::Test {
 protected:
  std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) / "recording.jsonl";
};

TEST_F(RecordingFile, ReadsBackWhatWasWritten) {
  const Recording written = SmallRecording();
  ASSERT_TRUE(WriteRecording(path_, written));
  const Recording read = ReadRecording(path_).value();
  EXPECT_EQ(read.shape.text, written.shape.text);
  EXPECT_EQ(read.device.sm_count, written.device.sm_count);
  EXPECT_EQ(read.date, "2026-12-01");
  EXPECT_TRUE(read.whole);
  EXPECT_EQ(read.workers, 16);
  EXPECT_DOUBLE_EQ(read.cublas_lt_ms, 0.0049);
  ASSERT_EQ(read.trials.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.trials[i].config, written.trials[i].config);
    EXPECT_EQ(read.trials[i].outcome, written.trials[i].outcome);
    EXPECT_DOUBLE_EQ(read.trials[i].time_ms, written.trials[i].time_ms);
    EXPECT_DOUBLE_EQ(read.trials[i].compile_ms, written.trials[i].compile_ms);
  }
  EXPECT_DOUBLE_EQ(read.BestMs(), 0.0062);
  EXPECT_THAT(ReadFile(path_).value(), HasSubstr("[[0,0,0],\"correct\",0.0141,274.6,8.8]\n"));
}

TEST_F(RecordingFile, SaysWhereItIsBroken) {
  ASSERT_TRUE(WriteRecording(path_, SmallRecording()));
  const std::string good = ReadFile(path_).value();
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    EXPECT_TRUE(WriteFileAtomic(path_, text));
    const Result<Recording> read = ReadRecording(path_);
    EXPECT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::kUsage);
    return read.error().message;
  };
  EXPECT_THAT(broken("croq-recording", "other"), HasSubstr(".jsonl:1: it does not begin with"));
  EXPECT_THAT(broken("\"version\":1", "\"version\":2"), HasSubstr("of version 2"));
  EXPECT_THAT(broken("[[0,1,0]", "[[0,7,0]"), HasSubstr(".jsonl:3: "));
  EXPECT_THAT(broken("\"compile\"", "\"fine\""), HasSubstr("is no outcome"));
  EXPECT_THAT(broken("0.0141", "0"), HasSubstr(".jsonl:2: a correct trial has no time"));
  EXPECT_THAT(broken("[[1,0]", "[[1,0"), HasSubstr(".jsonl:4: "));
  EXPECT_THAT(broken("[[0,1,0]", "[[0,0,0]"),
              HasSubstr(".jsonl:3: the configuration of line 2 again"));
  EXPECT_THAT(broken(good.substr(good.rfind("[[1,0]")), ""),
              HasSubstr("its header says 3 trials and 2 follow"));
  ASSERT_TRUE(WriteFileAtomic(path_, ""));
  EXPECT_THAT(ReadRecording(path_).error().message, HasSubstr("it is empty"));
  EXPECT_THAT(ReadRecording("/nowhere.jsonl").error().message, HasSubstr("/nowhere.jsonl"));
}

TEST_F(RecordingFile, RefusesATrialOutsideItsSpace) {
  Recording recording = SmallRecording();
  recording.trials.push_back({Tile(48), Outcome::kCorrect, 1, 1, 1});
  EXPECT_THAT(WriteRecording(path_, recording).error().message,
              HasSubstr("is not of the recording's space"));
  recording.trials.back().config.variant = "other";
  EXPECT_FALSE(WriteRecording(path_, recording));
}

TEST(Recording, ASearchMayProposeWhatWasRecordedAlone) {
  const Recording recording = SmallRecording();
  const SearchSpace space = SpaceOf(recording);
  EXPECT_FALSE(space.reject(Tile(32)));
  EXPECT_EQ(space.reject(Tile(128)), "it was not recorded");
  const RecordedTrials trials(recording);
  EXPECT_EQ(trials.Find(Tile(64))->outcome, Outcome::kCompile);
  EXPECT_EQ(trials.Find(Tile(128)), nullptr);
}

TEST(Recording, BecomesACacheOfKernelTuner) {
  const auto cache = nlohmann::json::parse(KernelTunerCache(SmallRecording()));
  EXPECT_EQ(cache["schema_version"], "1.0.0");
  EXPECT_EQ(cache["tune_params_keys"], (nlohmann::json{"BLOCK_M", "EVICT_A", "variant"}));
  EXPECT_EQ(cache["tune_params"]["EVICT_A"], (nlohmann::json{0, "none"}));
  EXPECT_EQ(cache["cache"].size(), 3U);
  EXPECT_EQ(cache["cache"]["32,none,tiled"]["time"], 0.0141);
  EXPECT_EQ(cache["cache"]["64,none,tiled"]["time"], "CompilationFailedConfig");
  EXPECT_EQ(cache["cache"]["64,0,descriptor"]["times"], nlohmann::json{0.0062});
}

}  // namespace
}  // namespace croq
