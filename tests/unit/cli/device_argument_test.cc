#include "croq/cli/device_argument.h"

#include <gmock/gmock.h>

namespace croq::cli {
namespace {

using ::testing::HasSubstr;

TEST(ParseDevice, TakesTheFormsThereAre) {
  EXPECT_EQ(ParseDevice("auto").value().kind, DeviceArgument::Kind::kAuto);
  const DeviceArgument cuda = ParseDevice("cuda:12").value();
  EXPECT_EQ(cuda.kind, DeviceArgument::Kind::kCuda);
  EXPECT_EQ(cuda.ordinal, 12);
  EXPECT_EQ(cuda.text, "cuda:12");
  const DeviceArgument offline = ParseDevice(kDefaultOffline).value();
  EXPECT_EQ(offline.kind, DeviceArgument::Kind::kOffline);
  EXPECT_EQ(offline.compute_capability, 90);
}

TEST(ParseDevice, TakesARecordingWhereItIsAsked) {
  const DeviceArgument replay = ParseDevice("replay:some/file.jsonl", true).value();
  EXPECT_EQ(replay.kind, DeviceArgument::Kind::kReplay);
  EXPECT_EQ(replay.recording, "some/file.jsonl");
  EXPECT_FALSE(ParseDevice("replay:", true));
}

TEST(ParseDevice, RefusesEverythingElse) {
  for (const char* text :
       {"", "cuda", "cuda:", "cuda:-1", "cuda:+1", "cuda: 1", "cuda:1 ", "cuda:01",
        "cuda:99999999999", "CUDA:0", "offline", "offline:sm91", "offline:sm90a", "replay:x"}) {
    const auto device = ParseDevice(text);
    ASSERT_FALSE(device.has_value()) << text;
    EXPECT_EQ(device.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(device.error().message, HasSubstr("use auto, cuda:N (N from 0) or offline:sm90"));
  }
}

}  // namespace
}  // namespace croq::cli
