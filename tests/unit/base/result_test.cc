#include "croq/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace croq {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0)
    return UsageFailure("odd");
  return value / 2;
}

Result<int> Quarter(int value) {
  CROQ_ASSIGN(const int half, Half(value));
  CROQ_ASSIGN(const int quarter, Half(half));
  return quarter;
}

Status CheckAll(const std::vector<int>& values, int& checked) {
  for (const int value : values) {
    CROQ_TRY(Half(value));
    ++checked;
  }
  return {};
}

TEST(Result, AssignGivesTheValueOrReturnsTheFirstError) {
  EXPECT_EQ(Quarter(12).value(), 3);
  EXPECT_EQ(Quarter(6).error().message, "odd");
  EXPECT_EQ(Quarter(5).error().kind, ErrorKind::kUsage);
}

TEST(Result, TryReturnsAtTheFirstError) {
  int checked = 0;
  EXPECT_TRUE(CheckAll({2, 4}, checked));
  EXPECT_EQ(checked, 2);
  EXPECT_FALSE(CheckAll({2, 3, 4}, checked));
  EXPECT_EQ(checked, 3);
}

TEST(Result, AssignTakesWhatCanOnlyBeMoved) {
  const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(7); };
  const auto use = [&]() -> Result<int> {
    CROQ_ASSIGN(const std::unique_ptr<int> owned, make());
    return *owned;
  };
  EXPECT_EQ(use().value(), 7);
}

TEST(Result, WrapPutsThePlaceBeforeTheMessageAndKeepsTheKind) {
  const Status usage = Wrap(Error{ErrorKind::kUsage, "no such file"}, "contract");
  EXPECT_EQ(usage.error().message, "contract: no such file");
  EXPECT_EQ(usage.error().kind, ErrorKind::kUsage);
  const Status fatal = Failure("disk full");
  EXPECT_EQ(fatal.error().kind, ErrorKind::kFatal);
}

}  // namespace
}  // namespace croq
