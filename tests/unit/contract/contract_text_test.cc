#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "unit/contract/helpers.h"

/// Holds contracts/triton.toml against the contract's own text, word by word.
namespace croq::contract {
namespace {

class ContractText : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto file = SourceDir() / ".." / "shared" / "contract" / "croq-dsl-triton.txt";
    if (!std::filesystem::exists(file))
      GTEST_SKIP() << "the contract's text is not at " << file;
    text_ = MustRead(file);
  }

  void ExpectHolds(const std::string& words) const {
    EXPECT_NE(text_.find(words), std::string::npos) << "not in the contract: " << words;
  }

  std::string text_;
  Contract contract_ = Triton();
};

std::string WithoutLastNewline(std::string text) {
  if (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

TEST_F(ContractText, TemplatesAreVerbatim) {
  ExpectHolds(WithoutLastNewline(contract_.scripts.build));
  ExpectHolds(WithoutLastNewline(contract_.scripts.run));
  ExpectHolds(WithoutLastNewline(contract_.scripts.profile));
  ExpectHolds(WithoutLastNewline(contract_.bench.code));
  ExpectHolds(contract_.environment.validate);
  ExpectHolds(contract_.profile.pin);
}

TEST_F(ContractText, LinesAreVerbatim) {
  ExpectHolds(contract_.verify.pass_line);
  ExpectHolds(contract_.verify.fail_line);
  ExpectHolds(contract_.bench.required_output);
  ExpectHolds(contract_.bench.output_format);
  ExpectHolds(contract_.bench.formula);
  ExpectHolds(contract_.baseline.text);
  ExpectHolds(contract_.dsl.compiler);
  ExpectHolds(contract_.dsl.description);
}

TEST_F(ContractText, RulesQuoteIt) {
  for (const auto* rules : {&contract_.purity.allowed, &contract_.purity.forbidden}) {
    for (const NameRule& rule : *rules) {
      if (!rule.beyond_contract)
        ExpectHolds(rule.text);
    }
  }
  for (const Idea& idea : contract_.ideas) {
    if (!idea.beyond_contract)
      ExpectHolds(idea.text);
  }
  for (const LeverRule& lever : contract_.levers) ExpectHolds(lever.text);
  for (const Reading& reading : contract_.readings) {
    ExpectHolds(reading.contract);
    ExpectHolds(reading.section);
  }
}

TEST_F(ContractText, MenuIsWhole) {
  const auto menu = text_.find("IDEA Menu");
  const auto end = text_.find("Key levers");
  ASSERT_NE(menu, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  // Entries of a row are separated by semicolons; rows by newlines.
  const std::string rows = text_.substr(menu, end - menu);
  const auto separators = std::ranges::count(rows, ';');
  const auto rows_with_ideas = std::ranges::count(rows, '\t') - 1;
  const auto entries = std::ranges::count(contract_.ideas, false, &Idea::beyond_contract);
  EXPECT_EQ(entries, separators + rows_with_ideas);
}

}  // namespace
}  // namespace croq::contract
