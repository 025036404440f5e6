#include "croq/base/recent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace croq {
namespace {

TEST(Recent, HoldsTheLastGenerationAndAtMostTwo) {
  Recent<int> recent(3);
  for (int i = 0; i < 10; ++i) {
    recent.Put(std::to_string(i), i);
    EXPECT_LE(recent.size(), 6U);
    for (int last = std::max(0, i - 2); last <= i; ++last) {
      const int* found = recent.Find(std::to_string(last));
      ASSERT_NE(found, nullptr) << last << " of " << i;
      EXPECT_EQ(*found, last);
    }
  }
  EXPECT_EQ(recent.Find("0"), nullptr);
}

TEST(Recent, WhatIsFoundStays) {
  Recent<int> recent(3);
  recent.Put("kept", 7);
  for (int i = 0; i < 20; ++i) {
    recent.Put(std::to_string(i), i);
    ASSERT_NE(recent.Find("kept"), nullptr) << i;
  }
}

TEST(Recent, ForgetsWhatIsErased) {
  Recent<int> recent(1);
  recent.Put("a", 1);
  recent.Put("b", 2);
  recent.Erase("a");
  recent.Erase("b");
  EXPECT_EQ(recent.Find("a"), nullptr);
  EXPECT_EQ(recent.size(), 0U);
}

}  // namespace
}  // namespace croq
