#include "croq/operators/template_set.h"

#include <gmock/gmock.h>

#include "croq/base/files.h"
#include "support/processes.h"
#include "unit/operators/helpers.h"

namespace croq::operators {
namespace {

using ::testing::HasSubstr;

/// Renders template `main` of a folder with `main` and `part`.
Result<std::string> Rendered(const std::string& main, const std::string& part,
                             const TemplateValues& values = {}) {
  const testing::TemporaryFolder folder;
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "main.py.in", main));
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "part.py.in", part));
  CROQ_ASSIGN(const TemplateSet set, TemplateSet::Load(folder.path()));
  return set.Render("main", values);
}

std::string ErrorOf(const Result<std::string>& result) {
  return result ? "no error" : result.error().message;
}

TEST(TemplateSet, PutsTextsIn) {
  EXPECT_EQ(Must(Rendered("{{A}} = {{B}}\n{x}\n", "", {{{"A", "1"}, {"B", "2"}}, {}})),
            "1 = 2\n{x}\n");
}

TEST(TemplateSet, IncludesTakeTheirPlace) {
  EXPECT_EQ(Must(Rendered("a\n  #@include part\nc\n", "b\n")), "a\nb\nc\n");
}

TEST(TemplateSet, BranchesNest) {
  const std::string text = "#@if X\nx\n#@if Y\nxy\n#@else\nx only\n#@end\n#@else\nno x\n#@end\n";
  EXPECT_EQ(Must(Rendered(text, "", {{}, {"X"}})), "x\nx only\n");
  EXPECT_EQ(Must(Rendered(text, "", {{}, {"X", "Y"}})), "x\nxy\n");
  EXPECT_EQ(Must(Rendered(text, "", {{}, {"Y"}})), "no x\n");
}

TEST(TemplateSet, ErrorsNameThePlace) {
  EXPECT_THAT(ErrorOf(Rendered("a\n{{NO}}\n", "")), HasSubstr("main.py.in:2: nothing to put in"));
  EXPECT_THAT(ErrorOf(Rendered("{{A\n", "")), HasSubstr("main.py.in:1"));
  EXPECT_THAT(ErrorOf(Rendered("#@include gone\n", "")), HasSubstr("gone.py.in"));
  EXPECT_THAT(ErrorOf(Rendered("#@include main\n", "")), HasSubstr("includes itself"));
  EXPECT_THAT(ErrorOf(Rendered("#@end\n", "")), HasSubstr("'#@end' does not fit"));
  EXPECT_THAT(ErrorOf(Rendered("#@if A\n#@loop\n#@end\n", "")), HasSubstr("'#@loop'"));
  EXPECT_THAT(ErrorOf(Rendered("#@if A\n", "")), HasSubstr("not closed"));
}

TEST(TemplateSet, MissingFolderIsAnError) {
  const auto set = TemplateSet::Load("/nowhere/at/all");
  ASSERT_FALSE(set.has_value());
  EXPECT_THAT(set.error().message, HasSubstr("/nowhere/at/all"));
}

}  // namespace
}  // namespace croq::operators
