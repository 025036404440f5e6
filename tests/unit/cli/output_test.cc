#include "croq/cli/output.h"

#include <gmock/gmock.h>

#include "croq/cli/options.h"

namespace croq::cli {
namespace {

using ::testing::ElementsAre;

TEST(TextTable, AlignsColumnsByWhatIsSeen) {
  TextTable table;
  table.AddRow({"a", "µs", "last"});
  table.AddRow({"longer", "x", "y"});
  table.AddRow({"z", "", ""});
  EXPECT_EQ(table.Render(1), " a       µs  last\n longer  x   y\n z\n");
}

TEST(TextTable, WrapsTheLastColumn) {
  TextTable table(36);
  table.AddRow({"k", "one two three four five six seven eight"});
  EXPECT_EQ(table.Render(), "k  one two three four five six seven\n   eight\n");
}

TEST(WrapWords, LongWordStandsAlone) {
  EXPECT_THAT(WrapWords("a incomprehensible b", 5), ElementsAre("a", "incomprehensible", "b"));
  EXPECT_THAT(WrapWords("", 5), ElementsAre(""));
}

TEST(Indent, LeavesEmptyLinesEmpty) {
  EXPECT_EQ(Indent("a\n\nb", 2), "  a\n\n  b\n");
}

TEST(FormatBytes, PicksTheUnit) {
  EXPECT_EQ(FormatBytes(17), "17 B");
  EXPECT_EQ(FormatBytes(232448), "227 KiB");
  EXPECT_EQ(FormatBytes(1.5 * 1024 * 1024 * 1024), "1.5 GiB");
}

TEST(CheckModelName, RefusesWhatIsNoFolderName) {
  for (const char* good : {"croq", "gpt-5.1", "a", "9x", "A_b"}) {
    EXPECT_TRUE(CheckModelName(good)) << good;
  }
  for (const char* bad : {"", ".", "..", ".x", "-x", "_x", "a/b", "../x", "a b", "ä", "a\n"}) {
    EXPECT_FALSE(CheckModelName(bad)) << bad;
  }
  EXPECT_TRUE(CheckModelName(std::string(64, 'a')));
  EXPECT_FALSE(CheckModelName(std::string(65, 'a')));
}

}  // namespace
}  // namespace croq::cli
