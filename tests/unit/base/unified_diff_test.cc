#include "croq/base/unified_diff.h"

#include <gtest/gtest.h>

namespace croq {
namespace {

TEST(UnifiedDiff, EqualTextsHaveNone) {
  EXPECT_EQ(UnifiedDiff("a", "x\ny\n", "b", "x\ny\n"), "");
  EXPECT_EQ(UnifiedDiff("a", "", "b", ""), "");
}

TEST(UnifiedDiff, ShowsAChangeWithItsSurroundings) {
  EXPECT_EQ(UnifiedDiff("a.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "b.py",
                        "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a.py\n+++ b.py\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, SeparatesWhatLiesFarApart) {
  std::string before;
  for (int i = 1; i <= 30; ++i) before += std::to_string(i) + "\n";
  std::string after = before;
  after.replace(after.find("4\n"), 2, "four\n");
  after.replace(after.find("25\n"), 3, "");
  const std::string diff = UnifiedDiff("a", before, "b", after);
  EXPECT_EQ(diff,
            "--- a\n+++ b\n@@ -1,7 +1,7 @@\n 1\n 2\n 3\n-4\n+four\n 5\n 6\n 7\n"
            "@@ -22,7 +22,6 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28\n");
}

TEST(UnifiedDiff, FromAndToNothing) {
  EXPECT_EQ(UnifiedDiff("a", "", "b", "x\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(UnifiedDiff("a", "x\n", "b", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
}

}  // namespace
}  // namespace croq
