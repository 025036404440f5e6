#include "croq/source/edit.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace croq::source {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(EditList, LeavesEveryOtherByte) {
  EditList edits;
  edits.Replace(4, 7, "B");
  edits.Insert(0, ">");
  edits.Erase(8, 9);
  EXPECT_EQ(edits.Apply("aaa bbb\r\t\xff\n").value(), ">aaa B\r\xff\n");
}

TEST(EditList, InsertionsAtOnePlaceKeepTheirOrder) {
  EditList edits;
  edits.Insert(1, "1");
  edits.Insert(1, "2");
  EXPECT_EQ(edits.Apply("ab").value(), "a12b");
}

TEST(EditList, InsertionsAtTheEdgesStandOutside) {
  EditList edits;
  edits.Replace(1, 3, "X");
  edits.Insert(3, ">");
  edits.Insert(1, "<");
  EXPECT_EQ(edits.Apply("abcd").value(), "a<X>d");
}

TEST(EditList, RefusesOverlap) {
  EditList ranges;
  ranges.Erase(0, 3);
  ranges.Erase(2, 4);
  EXPECT_THAT(ranges.Apply("abcdef").error().message, HasSubstr("overlap at byte 2"));

  EditList same;
  same.Erase(1, 2);
  same.Erase(1, 2);
  EXPECT_FALSE(same.Apply("abcdef").has_value());

  EditList inside;
  inside.Erase(0, 3);
  inside.Insert(1, "x");
  EXPECT_FALSE(inside.Apply("abcdef").has_value());
}

TEST(EditList, RefusesARangeOutsideTheFile) {
  EditList edits;
  edits.Erase(2, 9);
  EXPECT_THAT(edits.Apply("abc").error().message, HasSubstr("file of 3"));
}

TEST(EditList, TellsPlacesOfTheFileAsItWas) {
  EditList edits;
  edits.Erase(6, 7, "second");
  edits.Insert(0, "one\ntwo\n", "first");
  edits.Insert(4, "part");
  EXPECT_THAT(edits.Notes("abc\r\ndef\n"),
              ElementsAre(EditNote{1, 1, "first"}, EditNote{2, 2, "second"}));
}

TEST(EditList, KnowsWhatGoesOut) {
  EditList edits;
  edits.Replace(2, 5, "x");
  edits.Insert(7, "y");
  EXPECT_TRUE(edits.Covers(2, 5));
  EXPECT_TRUE(edits.Covers(3, 4));
  EXPECT_FALSE(edits.Covers(4, 6));
  EXPECT_FALSE(edits.Covers(7, 7));
}

RC_GTEST_PROP(EditListProperty, DisjointErasuresLeaveTheRestInOrder, (const std::string& bytes)) {
  EditList edits;
  std::string expected;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      edits.Erase(i, i + 1);
    } else {
      expected += bytes[i];
    }
  }
  RC_ASSERT(edits.Apply(bytes).value() == expected);
}

}  // namespace
}  // namespace croq::source
