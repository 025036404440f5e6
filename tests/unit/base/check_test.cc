#include "croq/base/check.h"

#include <gtest/gtest.h>

namespace croq {
namespace {

TEST(CheckDeathTest, ABrokenConditionSaysWhatAndWhereAndAborts) {
  const int two = 2;
  CROQ_CHECK(two == 2);
  EXPECT_DEATH(CROQ_CHECK(two == 3), "two == 3 \\(.*check_test.cc:[0-9]+\\)");
}

}  // namespace
}  // namespace croq
