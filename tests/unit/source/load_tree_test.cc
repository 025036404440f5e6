#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "croq/base/base64.h"
#include "croq/source/syntax.h"
#include "support/parsed.h"

namespace croq::source {
namespace {

using croq::testing::NodeWithText;
using croq::testing::Parsed;
using croq::testing::ParsedReply;
using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kSource =
    "import triton.language as tl\r\n"
    "from ..a import b as c\r\n"
    "@d(1, -2.5)\r\n"
    "def f(x, *, k: tl.constexpr = 0x10, m, n='\xC3\xA9'):\r\n"
    "\tglobal g, h; x[0] = not k; del m\r\n"
    "\treturn {1: x, **n}, b'z', None, True\r\n";

TEST(LoadTree, NodesSayWhatTheFileSays) {
  const SyntaxTree tree = Parsed(kSource, "dir/x.py");
  EXPECT_EQ(tree.root().kind, Kind::kModule);
  EXPECT_EQ(tree.root().children.size(), 3U);
  const Node& import = *tree.root().children[0];
  EXPECT_EQ(import.children[0]->text, "triton.language");
  EXPECT_EQ(import.children[0]->as_name, "tl");
  EXPECT_EQ(tree.root().children[1]->level, 2);
  const Node& function = *tree.root().children[2];
  EXPECT_EQ(function.text, "f");
  EXPECT_EQ(function.Children(Field::kDecorators).size(), 1U);
  EXPECT_EQ(function.parent, &tree.root());
  EXPECT_EQ(NodeWithText(tree, "0x10").integer, 16);
  EXPECT_EQ(NodeWithText(tree, "2.5").real, 2.5);
  EXPECT_EQ(NodeWithText(tree, "-2.5").text, "USub");
  EXPECT_TRUE(NodeWithText(tree, "'\xC3\xA9'").IsString());
  EXPECT_EQ(NodeWithText(tree, "'\xC3\xA9'").text, "\xC3\xA9");
  EXPECT_EQ(NodeWithText(tree, "global g, h").text, "g h");
  EXPECT_EQ(NodeWithText(tree, "x[0]").access, Access::kStore);
  EXPECT_EQ(NodeWithText(tree, "del m").children[0]->access, Access::kDelete);
  EXPECT_EQ(NodeWithText(tree, "b'z'").constant, ConstantType::kOther);
  EXPECT_EQ(NodeWithText(tree, "True").integer, 1);
  const Node& dict = NodeWithText(tree, "{1: x, **n}");
  EXPECT_EQ(dict.Children(Field::kKeys).size(), 1U);
  EXPECT_EQ(dict.Children(Field::kValues).size(), 1U);
  EXPECT_EQ(dict.Child(Field::kOther)->text, "n");
  EXPECT_EQ(dict.Child(Field::kElts), nullptr);
  EXPECT_EQ(PlaceOf(tree, dict), "dir/x.py:6:9");
}

TEST(LoadTree, PlacesAreBytesOfTheFile) {
  const SyntaxTree tree = Parsed(kSource);
  EXPECT_EQ(tree.Line(5), "\tglobal g, h; x[0] = not k; del m");
  EXPECT_EQ(tree.Line(6), "\treturn {1: x, **n}, b'z', None, True");
  EXPECT_EQ(tree.Line(7), "");
  EXPECT_EQ(tree.Line(8), "");
  EXPECT_EQ(tree.Text(*tree.root().children[1]), "from ..a import b as c");
  EXPECT_EQ(tree.Text(tree.root()), kSource);
  const Node& arguments = *tree.root().children[2]->Child(Field::kArgs);
  EXPECT_EQ(arguments.kind, Kind::kArguments);
  EXPECT_EQ(tree.Text(arguments), "x, *, k: tl.constexpr = 0x10, m, n='\xC3\xA9'");
}

TEST(LoadTree, AByteOrderMarkCountsInOffsetsOnly) {
  const SyntaxTree tree = Parsed("\xEF\xBB\xBFx = 1\ny = lambda: x\n");
  EXPECT_EQ(tree.root().children[0]->span.column, 0);
  EXPECT_EQ(tree.Offset(1, 0), 3U);
  EXPECT_EQ(tree.Offset(2, 0), 9U);
  EXPECT_EQ(tree.Text(*tree.root().children[0]), "x = 1");
  EXPECT_EQ(tree.Line(1), "x = 1");
  const Node& none = *NodeWithText(tree, "lambda: x").Child(Field::kArgs);
  EXPECT_EQ(tree.Text(none), "");
  EXPECT_EQ(none.span.line, 2);
}

TEST(LoadTree, AnEmptyFileIsATree) {
  EXPECT_TRUE(Parsed("").root().children.empty());
  EXPECT_TRUE(Parsed("# only a comment").root().children.empty());
}

TEST(LoadTree, RefusesWhatMakesNoSense) {
  const json good = json::parse(ParsedReply("x = 1\n"))["tree"];
  const auto refusal = [](const json& tree) {
    const auto loaded = SyntaxTree::Load(tree, "x = 1\n", "x.py");
    return loaded ? std::string() : loaded.error().message;
  };
  EXPECT_EQ(refusal(good), "");
  EXPECT_THAT(refusal(json::array()), HasSubstr("x.py makes no sense"));
  json tree = good;
  tree["kinds"][3] = "Newer";
  EXPECT_THAT(refusal(tree), HasSubstr("'Newer'"));
  tree = good;
  tree["fields"][1] = "newer";
  EXPECT_THAT(refusal(tree), HasSubstr("'newer'"));
  tree = good;
  tree["strings"] = {1};
  EXPECT_THAT(refusal(tree), HasSubstr("'strings'"));
  tree = good;
  tree["strings"] = json::array();
  EXPECT_THAT(refusal(tree), HasSubstr("text"));
  for (const char* nodes : {"", "AAAA", "?"}) {
    tree["nodes"] = nodes;
    EXPECT_NE(refusal(tree), "") << nodes;
  }
}

/// Only that nothing crashes, also under a sanitizer: most of these are still trees.
RC_GTEST_PROP(LoadTreeProperty, NoByteOfARecordCrashesIt, ()) {
  static const json good = json::parse(ParsedReply(kSource))["tree"];
  static const std::string records = DecodeBase64(good["nodes"].get<std::string>()).value();
  std::string changed = records;
  const int changes = *rc::gen::inRange(1, 6);
  for (int i = 0; i < changes; ++i)
    changed[*rc::gen::inRange<std::size_t>(0, changed.size())] = *rc::gen::arbitrary<char>();
  if (*rc::gen::arbitrary<bool>())
    changed.resize(*rc::gen::inRange<std::size_t>(0, changed.size()));
  json tree = good;
  tree["nodes"] = EncodeBase64(changed);
  const auto loaded = SyntaxTree::Load(tree, kSource, "x.py");
  if (!loaded)
    return;
  std::size_t bytes = 0;
  Walk(loaded->root(), [&](const Node& node) {
    bytes += loaded->Text(node).size() + PlaceOf(*loaded, node).size();
    return true;
  });
  RC_ASSERT(bytes > 0U);
}

}  // namespace
}  // namespace croq::source
