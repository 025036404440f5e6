#include "croq/base/hash.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace croq {
namespace {

TEST(Fingerprint, IsXxh128) {
  // xxhsum -H2 of nothing
  EXPECT_EQ(Fingerprint(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(Fingerprint("croq").size(), 32U);
}

TEST(FingerprintProperty, EqualBytesAndOnlyThose) {
  EXPECT_TRUE(rc::check([](const std::string& one, const std::string& other) {
    RC_ASSERT((Fingerprint(one) == Fingerprint(other)) == (one == other));
  }));
}

}  // namespace
}  // namespace croq
