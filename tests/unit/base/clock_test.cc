#include "croq/base/clock.h"

#include <gtest/gtest.h>

namespace croq {
namespace {

TEST(FormatUtc, WritesMillisecondsAndZ) {
  EXPECT_EQ(FormatUtc(0), "1970-01-01T00:00:00.000Z");
  // date -u -d '2026-01-31 12:00:00' +%s is 1769860800
  EXPECT_EQ(FormatUtc(1769860800123), "2026-01-31T12:00:00.123Z");
  EXPECT_EQ(FormatUtc(951782400007), "2000-02-29T00:00:00.007Z");
}

TEST(SecondsSince, DoesNotRunBackwards) {
  EXPECT_GE(SecondsSince(SteadyTime::clock::now()), 0);
}

}  // namespace
}  // namespace croq
