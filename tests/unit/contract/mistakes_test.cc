#include <gmock/gmock.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include "unit/contract/helpers.h"

/// Each case of tests/golden/contract/mistakes is a list of edits of base.toml there, a small whole
/// contract, and the message they lead to: `edits` holds blocks `--- old`, `+++ new` (one line
/// each), `expected` the message with the file called FILE. CROQ_ACCEPT=1 writes `expected` anew.
namespace croq::contract {
namespace {

struct Edit {
  std::string before;
  std::string after;
};

std::vector<Edit> ReadEdits(const std::string& text) {
  std::vector<Edit> edits;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("--- "))
      edits.push_back({line.substr(4), ""});
    if (line.starts_with("+++ "))
      edits.back().after = line.substr(4);
  }
  return edits;
}

std::string Apply(std::string text, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    const auto at = text.find("\n" + edit.before + "\n");
    if (at == std::string::npos) {
      ADD_FAILURE() << "no such line in the contract: " << edit.before;
      continue;
    }
    text.replace(at + 1, edit.before.size(), edit.after);
  }
  return text;
}

std::filesystem::path Cases() {
  return SourceDir() / "tests" / "golden" / "contract" / "mistakes";
}

class Mistake : public ::testing::TestWithParam<std::string> {};

TEST_P(Mistake, IsReportedWithItsPlace) {
  const ScratchFolder folder;
  const auto file = folder.path() / "triton.toml";
  const auto input = Cases() / (GetParam() + ".edits");
  const std::string contract = MustRead(Cases() / "base.toml");
  ASSERT_TRUE(WriteFileAtomic(file, Apply(contract, ReadEdits(MustRead(input)))));

  const auto loaded = LoadContract(file);

  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, ErrorKind::kUsage);
  std::string message = loaded.error().message + "\n";
  for (auto at = message.find(file.string()); at != std::string::npos;
       at = message.find(file.string())) {
    message.replace(at, file.string().size(), "FILE");
  }
  const auto expected = Cases() / (GetParam() + ".expected");
  if (std::getenv("CROQ_ACCEPT") != nullptr) {
    ASSERT_TRUE(WriteFileAtomic(expected, message));
    GTEST_SKIP() << "wrote " << expected;
  }
  EXPECT_EQ(message, MustRead(expected));
}

std::vector<std::string> Names() {
  std::set<std::string> names;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(Cases(), code)) {
    if (entry.path().extension() == ".edits")
      names.insert(entry.path().stem().string());
  }
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Golden, Mistake, ::testing::ValuesIn(Names()),
                         [](const auto& test) { return test.param; });

TEST(Mistakes, BaseHasNone) {
  const ScratchFolder folder;
  const auto file = folder.path() / "triton.toml";
  ASSERT_TRUE(WriteFileAtomic(file, MustRead(Cases() / "base.toml")));
  const auto loaded = LoadContract(file);
  EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
}

TEST(Mistakes, FileThatIsNotToml) {
  const ScratchFolder folder;
  const auto file = folder.path() / "triton.toml";
  ASSERT_TRUE(WriteFileAtomic(file, "format = 1\n[bench\n"));
  const auto loaded = LoadContract(file);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_THAT(loaded.error().message, ::testing::StartsWith(file.string() + ":2:7: "));
}

TEST(Mistakes, FileThatIsMissing) {
  const auto loaded = LoadContract("/nonexistent/triton.toml");
  ASSERT_FALSE(loaded.has_value());
  EXPECT_THAT(loaded.error().message, ::testing::HasSubstr("/nonexistent/triton.toml"));
}

TEST(Mistakes, EmptyFileLacksEverySection) {
  const ScratchFolder folder;
  ASSERT_TRUE(WriteFileAtomic(folder.path() / "triton.toml", ""));
  const auto loaded = LoadContract(folder.path() / "triton.toml");
  ASSERT_FALSE(loaded.has_value());
  for (const char* section : {"[dsl]", "[environment]", "[build]", "[run]", "[profile]", "[verify]",
                              "[bench]", "[baseline]", "[purity]", "[[idea]]", "[[lever]]"}) {
    EXPECT_THAT(loaded.error().message,
                ::testing::HasSubstr("section " + std::string(section) + " is missing"));
  }
}

}  // namespace
}  // namespace croq::contract
