#include "croq/cli/package_version.h"

#include <gmock/gmock.h>

namespace croq::cli {
namespace {

using ::testing::ElementsAre;
using Kind = PackageVerdict::Kind;

TEST(Version, ReadsTheNumbersItStartsWith) {
  EXPECT_THAT(ParseVersion("2.11.0+cu130"), ElementsAre(2, 11, 0));
  EXPECT_THAT(ParseVersion("3.8.0rc1"), ElementsAre(3, 8, 0));
  EXPECT_THAT(ParseVersion("3.6"), ElementsAre(3, 6));
  EXPECT_TRUE(ParseVersion("git").empty());
  EXPECT_TRUE(ParseVersion("").empty());
}

TEST(Version, ComparesByNumber) {
  EXPECT_LT(CompareVersions("3.4.1", "3.10"), 0);
  EXPECT_EQ(CompareVersions("3.4", "3.4.0"), 0);
  EXPECT_GT(CompareVersions("3.4.1", "3.4"), 0);
}

TEST(Version, ReleaseIsAPrefixOfNumbers) {
  EXPECT_TRUE(IsOfRelease("3.6.1", "3.6"));
  EXPECT_TRUE(IsOfRelease("3.6", "3.6"));
  EXPECT_FALSE(IsOfRelease("3.60", "3.6"));
  EXPECT_FALSE(IsOfRelease("3", "3.6"));
}

contract::Package Triton() {
  return {"triton", true, "compiling", "3.4", {"3.6"}, "install it"};
}

TEST(JudgePackage, KnowsFourCases) {
  EXPECT_EQ(JudgePackage(Triton(), "3.6.0").kind, Kind::kTested);
  EXPECT_EQ(JudgePackage(Triton(), "3.7.1").kind, Kind::kUntested);
  EXPECT_EQ(JudgePackage(Triton(), "3.4.0").kind, Kind::kUntested);
  EXPECT_EQ(JudgePackage(Triton(), "3.3.1").kind, Kind::kTooOld);
  EXPECT_EQ(JudgePackage(Triton(), "").kind, Kind::kMissing);
  EXPECT_EQ(JudgePackage(Triton(), "").remedy, "install it");
}

TEST(Conflicts, HoldsInTheGivenRangesOnly) {
  const contract::Conflict conflict{"numpy", "2.4", "triton", "3.6", "", ""};
  EXPECT_TRUE(Conflicts(conflict, "2.4.0", "3.6.0"));
  EXPECT_TRUE(Conflicts(conflict, "2.5.1", "3.4.0"));
  EXPECT_FALSE(Conflicts(conflict, "2.3.9", "3.6.0"));
  EXPECT_FALSE(Conflicts(conflict, "2.4.0", "3.7.0"));
  EXPECT_FALSE(Conflicts(conflict, "", "3.6.0"));
}

}  // namespace
}  // namespace croq::cli
