#include "croq/cli/tune_observers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/cli_tune/output_file.h"

namespace croq::cli {
namespace {

using nlohmann::json;

tune::Progress MakeProgress() {
  tune::Progress progress;
  progress.phase = "round 1: screening";
  progress.trials = 312;
  progress.trials_per_second = 41.23;
  progress.best = "tiled BLOCK_M=128";
  progress.best_tflops = 702.11;
  progress.share_of_cublas = 1.0134;
  progress.seconds_left = 37.9;
  return progress;
}

TEST(FormatProgress, TellsAllThatIsKnown) {
  EXPECT_EQ(FormatProgress(MakeProgress()),
            "round 1: screening  312 trials, 41.2/s  best 702.1 TFLOPS, 1.013 of cuBLAS  38 s "
            "left");
}

TEST(FormatProgress, LeavesOutWhatIsNot) {
  tune::Progress progress;
  progress.phase = "preparing";
  EXPECT_EQ(FormatProgress(progress), "preparing");
  progress.seconds_left = 0;
  EXPECT_EQ(FormatProgress(progress), "preparing  0 s left");
}

TEST(FormatProgress, APredictionSaysSo) {
  tune::Progress progress = MakeProgress();
  progress.predicted = true;
  EXPECT_NE(FormatProgress(progress).find("702.1 TFLOPS predicted"), std::string::npos);
}

TEST(PlainObserver, PrintsMilestonesAndTheFirstProgress) {
  const OutputFile out;
  const auto observer = MakeTuneObserver(Presentation::kPlain, out.get(), "session");
  observer->OnProgress(MakeProgress());
  observer->OnProgress(MakeProgress());  // well within ten seconds
  observer->OnEvent("note", {{"message", "hello"}});
  observer->OnEvent("trial", {{"config", "tiled"}});
  EXPECT_EQ(out.Text(), FormatProgress(MakeProgress()) + "\nhello\n");
}

TEST(TerminalObserver, DrawsOneLiveLineBelowTheMilestones) {
  const OutputFile out;
  auto observer = MakeTuneObserver(Presentation::kTerminal, out.get(), "session");
  tune::Progress progress;
  progress.phase = "screening";
  observer->OnProgress(progress);
  EXPECT_EQ(out.Text(), "\r\033[Kscreening");
  observer->OnEvent("trial", {{"config", "tiled"}});  // only machines read it
  EXPECT_EQ(out.Text(), "\r\033[Kscreening");
  observer->OnEvent("note", {{"message", "hello"}});
  EXPECT_EQ(out.Text(), "\r\033[Kscreening\r\033[Khello\n");
}

TEST(TerminalObserver, ANewPhaseIsDrawnAtOnce) {
  const OutputFile out;
  const auto observer = MakeTuneObserver(Presentation::kTerminal, out.get(), "session");
  tune::Progress progress;
  progress.phase = "screening";
  observer->OnProgress(progress);
  progress.phase = "writing";
  observer->OnProgress(progress);
  EXPECT_EQ(out.Text(), "\r\033[Kscreening\r\033[Kwriting");
}

TEST(TerminalObserver, LeavesNoLiveLineBehind) {
  const OutputFile out;
  auto observer = MakeTuneObserver(Presentation::kTerminal, out.get(), "session");
  tune::Progress progress;
  progress.phase = "screening";
  observer->OnProgress(progress);
  observer.reset();
  EXPECT_EQ(out.Text(), "\r\033[Kscreening\r\033[K");
}

TEST(JsonObserver, ProgressIsAnEventWithItsFields) {
  const OutputFile out;
  const auto observer = MakeTuneObserver(Presentation::kJson, out.get(), "gpu/triton/key/croq");
  observer->OnProgress(MakeProgress());
  observer->OnProgress(MakeProgress());  // within the second: not printed
  const std::string text = out.Text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  const json event = json::parse(text);
  EXPECT_EQ(event.at("event"), "progress");
  EXPECT_EQ(event.at("trials"), 312);
  EXPECT_EQ(event.at("best"), "tiled BLOCK_M=128");
  EXPECT_EQ(event.at("seconds_left"), 37.9);
  EXPECT_EQ(event.at("predicted"), false);
}

TEST(JsonObserver, WithoutATimeBudgetNoSecondsAreLeft) {
  const OutputFile out;
  const auto observer = MakeTuneObserver(Presentation::kJson, out.get(), "session");
  observer->OnProgress(tune::Progress{});
  EXPECT_FALSE(json::parse(out.Text()).contains("seconds_left"));
}

TEST(JsonObserver, BytesThatAreNotUtf8DoNotBreakALine) {
  const OutputFile out;
  const auto observer = MakeTuneObserver(Presentation::kJson, out.get(), "session");
  observer->OnEvent("trial", {{"reason", "ptxas said \xff\nand more"}});
  const std::string text = out.Text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(json::parse(text).at("reason"), "ptxas said \xEF\xBF\xBD\nand more");
}

}  // namespace
}  // namespace croq::cli
