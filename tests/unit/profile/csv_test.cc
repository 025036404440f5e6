#include "croq/profile/csv.h"

#include <gmock/gmock.h>

namespace croq::profile {
namespace {

using ::testing::ElementsAre;

std::vector<std::vector<std::string>> Rows(std::string_view text) {
  FieldStore store;
  CsvReader reader(text, store);
  std::vector<std::vector<std::string>> rows;
  for (std::vector<std::string_view> fields; reader.Next(fields);) {
    rows.emplace_back(fields.begin(), fields.end());
  }
  return rows;
}

TEST(Csv, SplitsPlainAndQuotedFields) {
  EXPECT_THAT(Rows("a,\"b\",c\n1,\"(2, 3)\",\n"),
              ElementsAre(ElementsAre("a", "b", "c"), ElementsAre("1", "(2, 3)", "")));
}

TEST(Csv, HalvesDoubledQuotes) {
  EXPECT_THAT(Rows("\"say \"\"hi\"\"\",\"\"\"\"\n"), ElementsAre(ElementsAre("say \"hi\"", "\"")));
}

TEST(Csv, TakesCrLfForALineEnd) {
  EXPECT_THAT(Rows("a,b\r\n\"c\",d\r\n"),
              ElementsAre(ElementsAre("a", "b"), ElementsAre("c", "d")));
}

TEST(Csv, KeepsALineFeedInQuotes) {
  EXPECT_THAT(Rows("\"a\nb\",c\nd\n"), ElementsAre(ElementsAre("a\nb", "c"), ElementsAre("d")));
}

TEST(Csv, SaysWhereTheTextEndsWithinARow) {
  FieldStore store;
  std::vector<std::string_view> fields;
  for (const auto& [text, cut] : {std::pair{"a,b\n", false}, {"a,b", true}, {"a,\"b\n", true}}) {
    CsvReader reader(text, store);
    ASSERT_TRUE(reader.Next(fields));
    EXPECT_EQ(reader.cut_off(), cut) << text;
  }
}

TEST(Csv, CountsLines) {
  EXPECT_EQ(LineOf("a\nb\nc", 0), 1U);
  EXPECT_EQ(LineOf("a\nb\nc", 4), 3U);
}

}  // namespace
}  // namespace croq::profile
