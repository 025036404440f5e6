#include "croq/profile/number.h"

#include <gmock/gmock.h>

namespace croq::profile {
namespace {

using ::testing::HasSubstr;

void ExpectNumber(std::string_view cell, double value, DecimalMark mark = DecimalMark::kPoint) {
  const CellNumber number = ParseNumber(cell, mark);
  EXPECT_TRUE(number.ok) << cell << ": " << number.why;
  EXPECT_DOUBLE_EQ(number.value, value) << cell;
}

void ExpectNone(std::string_view cell, const std::string& why,
                DecimalMark mark = DecimalMark::kPoint) {
  const CellNumber number = ParseNumber(cell, mark);
  EXPECT_FALSE(number.ok) << cell << " read as " << number.value;
  EXPECT_THAT(number.why, HasSubstr(why)) << cell;
}

TEST(Number, ReadsWhatNcuPrints) {
  ExpectNumber("0", 0);
  ExpectNumber("71.86", 71.86);
  ExpectNumber("9680158.000000", 9680158);
  ExpectNumber("488339788", 488339788);
  ExpectNumber("594,274,132.25", 594274132.25);
  ExpectNumber("1,755,000", 1755000);
  ExpectNumber("-1,234.5", -1234.5);
  ExpectNumber("1e+06", 1e6);
  ExpectNumber("2.5e-3", 2.5e-3);
}

TEST(Number, TakesTheTotalBeforeInstances) {
  ExpectNumber("182 (182)", 182);
  ExpectNumber("15.52 (15.52)", 15.52);
  ExpectNumber("2,048 (2,048)", 2048);
  ExpectNumber("70.07 (0; 0; 1)", 70.07);
  ExpectNone("(0.14; 0.08)", "instances without a total");
}

TEST(Number, ReadsADecimalComma) {
  ExpectNumber("66,97", 66.97, DecimalMark::kComma);
  ExpectNumber("1.234.567,5", 1234567.5, DecimalMark::kComma);
  ExpectNone("66,97", "is no number");
  ExpectNone("66.97", "is no number", DecimalMark::kComma);
}

TEST(Number, StripsOtherSeparators) {
  ExpectNumber(
      "1\xC2\xA0"
      "234,5",
      1234.5, DecimalMark::kComma);
  ExpectNumber(
      "1\xE2\x80\xAF"
      "234.5",
      1234.5);
  ExpectNumber("1'234.5", 1234.5);
}

TEST(Number, SaysWhyThereIsNone) {
  ExpectNone("", "not collected");
  ExpectNone("no data", "not collected");
  ExpectNone("n/a", "does not have it");
  ExpectNone("N/A", "does not have it");
  for (const char* cell : {"nan", "(!) nan", "inf", "-inf", "NVIDIA H200", "all", "12abc", "1e999",
                           "1,23", "1,2345", "12,34,567", ",5", "0,529", "1.2.3", "--1", "0x10"}) {
    ExpectNone(cell, "is no number");
  }
}

DecimalMark MarkOf(std::initializer_list<const char*> cells) {
  MarkVotes votes;
  for (const char* cell : cells) votes.Add(cell);
  return votes.Winner();
}

TEST(Number, FindsTheFilesDecimalMark) {
  EXPECT_EQ(MarkOf({}), DecimalMark::kPoint);
  EXPECT_EQ(MarkOf({"1,234", "5,678"}), DecimalMark::kPoint);
  EXPECT_EQ(MarkOf({"1,234", "66,97"}), DecimalMark::kComma);
  EXPECT_EQ(MarkOf({"0,529"}), DecimalMark::kComma);
  EXPECT_EQ(MarkOf({"1234,567"}), DecimalMark::kComma);
  EXPECT_EQ(MarkOf({"1.234.567"}), DecimalMark::kComma);
  EXPECT_EQ(MarkOf({"1.234,5"}), DecimalMark::kComma);
  EXPECT_EQ(MarkOf({"1,234.5"}), DecimalMark::kPoint);
  EXPECT_EQ(MarkOf({"1,234,567"}), DecimalMark::kPoint);
  // A list of numbers, as `Enabled TPC IDs` has it, proves nothing; nor does a word.
  EXPECT_EQ(MarkOf({"0,1,2,3", "1,22,3", "PolicySpread", "9.0a"}), DecimalMark::kPoint);
  EXPECT_EQ(MarkOf({"0,1", "66.97", "12.5"}), DecimalMark::kPoint);
}

}  // namespace
}  // namespace croq::profile
