#include "croq/source/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/parsed.h"

namespace croq::source {
namespace {

using croq::testing::NodeWithText;
using croq::testing::Parsed;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// The value of the last statement, `probe = ...` or an expression, wherever it stands.
const Node& Probe(const SyntaxTree& tree) {
  const Node* found = nullptr;
  Walk(tree.root(), [&](const Node& node) {
    if (node.Is(Kind::kCall) && node.Child(Field::kFunc)->text == "probe")
      found = node.Child(Field::kArgs);
    return true;
  });
  EXPECT_NE(found, nullptr);
  return *found;
}

/// What `x` of `probe(x)` in the source is, "-" for nothing.
std::string Resolved(const std::string& source) {
  const SyntaxTree tree = Parsed(source);
  return Names(tree).Resolve(Probe(tree)).value_or("-");
}

std::vector<std::string> All(const std::string& source) {
  const SyntaxTree tree = Parsed(source);
  return Names(tree).ResolveAll(Probe(tree));
}

/// The text of the functions that calling x of `probe(x)` may run: their names, or the lambda.
std::vector<std::string> Called(const std::string& source) {
  const SyntaxTree tree = Parsed(source);
  std::vector<std::string> called;
  for (const Node* function : Names(tree).FunctionsCalled(Probe(tree))) {
    called.emplace_back(function->Is(Kind::kLambda) ? tree.Text(*function)
                                                    : std::string(function->text));
  }
  return called;
}

TEST(Names, ImportsAreFollowed) {
  EXPECT_EQ(Resolved("import triton.language as tl\nprobe(tl.dot)"), "triton.language.dot");
  EXPECT_EQ(Resolved("import triton.language\nprobe(triton.language.dot)"), "triton.language.dot");
  EXPECT_EQ(Resolved("from torch import mm as f\nprobe(f)"), "torch.mm");
  EXPECT_EQ(Resolved("from triton import language as tl\nprobe(tl.x)"), "triton.language.x");
  EXPECT_EQ(Resolved("from .ops import f\nprobe(f)"), "..ops.f");
  EXPECT_EQ(Resolved("from ... import f\nprobe(f)"), "..f");
  EXPECT_EQ(Resolved("def k():\n  import torch as t\n  probe(t.mm)"), "torch.mm");
}

TEST(Names, AliasesAreFollowed) {
  EXPECT_EQ(Resolved("import torch\nt = torch\nu = t.nn\nprobe(u.F)"), "torch.nn.F");
  EXPECT_EQ(Resolved("import torch\nprobe((x := torch).mm)"), "torch.mm");
  EXPECT_EQ(Resolved("import torch\n(x := torch)\nprobe(x.mm)"), "torch.mm");
  EXPECT_EQ(Resolved("import torch\na, (b, c) = 1, (2, torch.mm)\nprobe(c)"), "torch.mm");
  EXPECT_EQ(Resolved("import torch\na = b = torch\nprobe(b)"), "torch");
  EXPECT_EQ(Resolved("import torch\na: object = torch\nprobe(a)"), "torch");
  EXPECT_EQ(Resolved("import torch\n[(y := torch) for _ in z]\nprobe(y)"), "torch");
  EXPECT_EQ(Resolved("import torch\na, *b = torch, 1\nprobe(a)"), "-");
  EXPECT_EQ(Resolved("a = b\nb = a\nprobe(a)"), "-");
}

TEST(Names, WhatIsNotAnAliasIsNothing) {
  EXPECT_EQ(Resolved("def f(torch):\n  probe(torch.mm)"), "-");
  EXPECT_EQ(Resolved("import torch\nfor torch in x: probe(torch)"), "-");
  EXPECT_EQ(Resolved("import torch\nwith f() as torch: probe(torch)"), "-");
  EXPECT_EQ(Resolved("x = 1\nprobe(x)"), "-");
  EXPECT_EQ(Resolved("probe(f().mm)"), "-");
  EXPECT_EQ(Resolved("probe(unheard_of)"), "-");
  EXPECT_EQ(Resolved("import torch as t\nmatch y:\n  case t: probe(t)"), "-");
  EXPECT_EQ(Resolved("import a as e\ntry: pass\nexcept E as e: probe(e)"), "-");
  EXPECT_EQ(Resolved("import torch as t\nprobe([t for t in y])"), "-");
}

TEST(Names, TheFilesOwnAndTheBuiltins) {
  EXPECT_EQ(Resolved("def kernel_fn(): pass\nprobe(kernel_fn)"), ".kernel_fn");
  EXPECT_EQ(Resolved("class A: pass\nprobe(A.b)"), ".A.b");
  EXPECT_EQ(Resolved("probe(len)"), "builtins.len");
  EXPECT_EQ(Resolved("probe(__builtins__.exec)"), "builtins.exec");
  EXPECT_EQ(Resolved("def len(): pass\nprobe(len)"), ".len");
}

TEST(Names, Scopes) {
  EXPECT_EQ(Resolved("import torch as m\ndef f():\n  m = 1\n  def g():\n    probe(m)"), "-");
  EXPECT_EQ(Resolved("import torch as m\nclass A:\n  m = 1\n  def g(self):\n    probe(m)"), "torch");
  EXPECT_EQ(Resolved("class A:\n  import torch as m\n  probe(m)"), "torch");
  EXPECT_EQ(Resolved("import a as m\nclass A:\n  m = m\n  probe(m)"), "a");
  EXPECT_EQ(Resolved("def f():\n  global m\n  import torch as m\nprobe(m)"), "torch");
  EXPECT_EQ(Resolved("import a as m\ndef f():\n  import b as m\n  def g():\n    global m\n    probe(m)"),
            "a");
  EXPECT_EQ(Resolved("def f():\n  m = 1\n  def g():\n    nonlocal m\n    import b as m\n  probe(m)"), "-");
  EXPECT_THAT(
      All("def f():\n  m = 1\n  def g():\n    nonlocal m\n    import b as m\n  probe(m)"),
      ElementsAre("b"));
  // Decorators, defaults and annotations are evaluated outside.
  EXPECT_EQ(Resolved("import a as m\ndef f(m=probe(m)): pass"), "a");
  EXPECT_EQ(Resolved("import a as m\ndef f(m: probe(m)): pass"), "a");
  EXPECT_EQ(Resolved("import a as m\n@probe(m)\ndef f(m): pass"), "a");
  EXPECT_EQ(Resolved("import a as m\nlambda m: probe(m)"), "-");
  EXPECT_EQ(Resolved("import a as m\nlambda m=probe(m): 1"), "a");
  // The first sequence of a comprehension too.
  EXPECT_EQ(Resolved("import a as m\n[1 for m in probe(m)]"), "a");
  EXPECT_EQ(Resolved("import a as m\n[1 for x in y for m in probe(m)]"), "-");
}

TEST(Names, SeveralBindings) {
  EXPECT_EQ(Resolved("try:\n  import triton as t\nexcept ImportError:\n  t = None\nprobe(t.jit)"),
            "triton.jit");
  EXPECT_EQ(Resolved("if x:\n  f = min\nelse:\n  f = max\nprobe(f)"), "-");
  EXPECT_THAT(All("if x:\n  f = min\nelse:\n  f = max\nprobe(f)"),
              ElementsAre("builtins.max", "builtins.min"));
  EXPECT_THAT(All("import torch as t\nprobe(t.a if x else t.b)"),
              ElementsAre("torch.a", "torch.b"));
  EXPECT_THAT(All("import torch as t\nf = t.a if x else t.b\nprobe(f or t.c)"),
              ElementsAre("torch.a", "torch.b", "torch.c"));
  EXPECT_THAT(All("a = b\nb = a\nimport x as a\nprobe(b)"), ElementsAre("x"));
  EXPECT_THAT(All("import x as a\na = b\nb = a\nprobe(a); b"), ElementsAre("x"));
  EXPECT_EQ(Resolved("import torch\nprobe(torch)\ndel torch"), "torch");
}

TEST(Names, ACycleOfAliasesHidesNothingFromALaterQuestion) {
  const SyntaxTree tree = Parsed("a = b\nimport x as a\nb = a\nfirst(b); probe(a)");
  const Names names(tree);
  EXPECT_THAT(names.ResolveAll(Probe(tree)), ElementsAre("x"));
  EXPECT_THAT(names.ResolveAll(*NodeWithText(tree, "first(b)").Child(Field::kArgs)),
              ElementsAre("x"));
}

TEST(Names, StarImports) {
  EXPECT_EQ(Resolved("from triton.language import *\nprobe(dot)"), "triton.language.dot");
  EXPECT_EQ(Resolved("from triton.language import *\nprobe(sum)"), "-");
  EXPECT_THAT(All("from triton.language import *\nprobe(sum)"),
              ElementsAre("builtins.sum", "triton.language.sum"));
  EXPECT_THAT(All("from a import *\nfrom b import *\nprobe(f)"), ElementsAre("a.f", "b.f"));
}

TEST(Names, BindingsAndScopes) {
  const SyntaxTree tree = Parsed("x = 1\ndef f(a, b=2):\n  x = a\n  return x\n");
  const Names names(tree);
  const Node& function = *tree.root().children[1];
  EXPECT_EQ(names.BindingsIn(tree.root()).size(), 2U);
  EXPECT_EQ(names.BindingsIn(function).size(), 3U);
  const Node& used = *function.children.back()->Child(Field::kValue);
  ASSERT_EQ(names.BindingsOf(used).size(), 1U);
  EXPECT_EQ(names.BindingsOf(used)[0]->value->text, "a");
  EXPECT_EQ(names.BindingsOf(used)[0]->scope, &function);
  EXPECT_EQ(&names.ScopeOf(function), &tree.root());
  EXPECT_EQ(&names.ScopeOf(NodeWithText(tree, "2")), &tree.root());
  EXPECT_EQ(&names.ScopeOf(used), &function);
}

TEST(Names, FunctionsThatACallMayRun) {
  const std::string functions =
      "from functools import partial\nimport torch\ndef f(): pass\ndef g(): pass\n"
      "class C:\n  def __init__(self): pass\n  def m(self): pass\n";
  EXPECT_THAT(Called(functions + "probe(f)"), ElementsAre("f"));
  EXPECT_THAT(Called(functions + "h = f if x else g\nprobe(h)"), ElementsAre("f", "g"));
  EXPECT_THAT(Called(functions + "probe(partial(f, 1))"), ElementsAre("f"));
  EXPECT_THAT(Called(functions + "probe({'a': f, **{'b': g}}['a'])"), ElementsAre("f", "g"));
  EXPECT_THAT(Called(functions + "T = [f, lambda: 1]\nprobe(T[0])"), ElementsAre("f", "lambda: 1"));
  EXPECT_THAT(Called(functions + "probe(f[grid])"), ElementsAre("f"));
  EXPECT_THAT(Called(functions + "probe(f.fn[grid])"), ElementsAre("f"));
  EXPECT_THAT(Called(functions + "def make():\n  return f\nprobe(make())"), ElementsAre("f"));
  EXPECT_THAT(Called(functions + "probe((lambda: g)())"), ElementsAre("g"));
  EXPECT_THAT(Called(functions + "probe(C)"), ElementsAre("__init__"));
  EXPECT_THAT(Called(functions + "probe(C.m)"), ElementsAre("m"));
  EXPECT_THAT(Called(functions + "probe(thing().m)"), ElementsAre("m"));
  EXPECT_THAT(Called(functions + "probe(torch.m)"), IsEmpty());
  EXPECT_THAT(Called(functions + "def r():\n  return r()\nprobe(r())"), IsEmpty());
  EXPECT_THAT(Called(functions + "@torch.jit\ndef k(): pass\nw = wrap(k)\nprobe(w)"),
              ElementsAre("k"));
}

/// Each of these would take minutes, or the stack, if every path were followed.
TEST(Names, NothingTakesLong) {
  std::string chain = "import torch as a0\n";
  for (int i = 0; i < 5000; ++i)
    chain += "a" + std::to_string(i + 1) + "=a" + std::to_string(i) + "\n";
  EXPECT_THAT(All(chain + "probe(a5000)"), ElementsAre("?"));
  EXPECT_EQ(Resolved(chain + "probe(a5000)"), "-");
  std::string many;
  for (int i = 0; i < 5000; ++i)
    many += "x=b" + std::to_string(i) + "\n";
  for (int i = 0; i < 5000; ++i)
    many += "import b" + std::to_string(i) + "\n";
  const SyntaxTree tree = Parsed(many + "x;" + "x\n" + "probe(x)");
  const Names names(tree);
  const Node& probe = Probe(tree);
  for (int i = 0; i < 10'000; ++i)
    ASSERT_THAT(names.ResolveAll(probe), Contains("?"));
  std::string calls = "f";
  for (int i = 0; i < 60; ++i)
    calls += "()";
  EXPECT_THAT(Called("def f():\n  return f\nprobe(" + calls + ")"), ElementsAre("f"));
  EXPECT_THAT(Called(chain + "def f(): pass\nprobe(a5000)"), UnorderedElementsAre("f"));
}

}  // namespace
}  // namespace croq::source
