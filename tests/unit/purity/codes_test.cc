#include <gmock/gmock.h>

#include <set>

#include "unit/purity/corpus.h"

/// The table of codes, the contract's lists and docs/purity.md agree.
namespace croq::source {
namespace {

using croq::testing::Check;
using croq::testing::Has;
using croq::testing::Text;
using croq::testing::TritonContract;

std::string ReadDocument() {
  std::ifstream stream(CROQ_SOURCE_DIR "/docs/purity.md", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The text between two marks, from `at` on; moves `at` behind it. Empty where there is none.
std::string Between(const std::string& text, std::size_t& at, const std::string& from,
                    const std::string& to) {
  const std::size_t begin = text.find(from, at);
  const std::size_t end = begin == std::string::npos ? begin : text.find(to, begin + from.size());
  if (end == std::string::npos)
    return "";
  at = end + to.size();
  return text.substr(begin + from.size(), end - begin - from.size());
}

/// A code's part of the document.
std::string SectionOf(const std::string& document, const CodeFacts& code) {
  const std::string heading = "\n### " + std::string(code.code) + " " + std::string(code.title) +
                              "\n";
  const std::size_t begin = document.find(heading);
  if (begin == std::string::npos)
    return "";
  return document.substr(begin, document.find("\n##", begin + heading.size()) - begin);
}

TEST(Codes, AreSortedAndGroupedByLevel) {
  std::set<std::string> seen;
  int rank = 0;
  for (const CodeFacts& code : FindingCodes()) {
    EXPECT_TRUE(seen.insert(std::string(code.code)).second) << code.code << " stands twice";
    const int its = static_cast<int>(code.level());
    EXPECT_GE(its, rank) << code.code;
    rank = its;
    EXPECT_TRUE(code.mend.ends_with('.')) << code.code;
    EXPECT_FALSE(code.title.empty()) << code.code;
    EXPECT_EQ(FindCode(code.code), &code);
  }
  EXPECT_EQ(FindCode("E999"), nullptr);
}

TEST(Codes, ThoseOfTheContractExist) {
  const contract::Purity& purity = TritonContract().purity;
  for (const auto* rules : {&purity.allowed, &purity.forbidden, &purity.methods}) {
    for (const contract::NameRule& rule : *rules) {
      EXPECT_TRUE(rule.code.empty() || FindCode(rule.code) != nullptr)
          << rule.code << " of '" << rule.text << "'";
    }
  }
  for (const contract::NameRule& rule : purity.forbidden)
    EXPECT_TRUE(rule.code.starts_with('E')) << "'" << rule.text << "' gives no reject";
  for (const contract::NameRule& rule : purity.allowed)
    EXPECT_FALSE(rule.code.starts_with('E')) << "'" << rule.text << "' gives a reject";
}

TEST(Codes, EachIsDocumentedWithAnExampleThatGivesIt) {
  const std::string document = ReadDocument();
  std::size_t at = document.find("## Examples");
  ASSERT_NE(at, std::string::npos);
  const std::string before = Between(document, at, "```python\n", "```");
  EXPECT_TRUE(Check(before).accepted()) << Text(Check(before));
  // Examples that can't be shown whole.
  const std::set<std::string_view> in_words{"E001", "E704", "N105"};
  for (const CodeFacts& code : FindingCodes()) {
    SCOPED_TRACE(code.code);
    const std::string section = SectionOf(document, code);
    ASSERT_NE(section, "") << "no heading '### " << code.code << " " << code.title << "'";
    EXPECT_NE(section.find("\nMend: " + std::string(code.mend) + "\n"), std::string::npos);
    if (in_words.contains(code.code))
      continue;
    std::size_t inside = 0;
    const std::string example = Between(section, inside, "```python\n", "```");
    ASSERT_NE(example, "");
    const PurityReport report = Check(before + "\n\n" + example);
    EXPECT_TRUE(Has(report, std::string(code.code))) << example << Text(report);
    EXPECT_EQ(report.accepted(), code.level() != Level::kReject) << Text(report);
  }
}

TEST(Codes, NoneIsDocumentedThatIsNotThere) {
  const std::string document = ReadDocument();
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::string heading = Between(document, at, "\n### ", "\n");
    if (heading.empty())
      break;
    EXPECT_NE(FindCode(heading.substr(0, 4)), nullptr) << heading;
    --at;  // the line's end may begin the next heading
  }
}

}  // namespace
}  // namespace croq::source
