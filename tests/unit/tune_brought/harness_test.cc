#include "croq/tune/brought/harness.h"

#include "croq/source/problem_table.h"
#include "unit/tune_brought/helpers.h"

namespace croq::tune {
namespace {

const operators::TemplateSet& Templates() {
  static const operators::TemplateSet templates =
      operators::TemplateSet::Load(std::filesystem::path(CROQ_SOURCE_DIR) /
                                   "python/operators/brought").value();
  return templates;
}

std::string Whole(const std::string& file, HarnessSubject subject = HarnessSubject::kEntry) {
  const source::SyntaxTree tree = testing::Parsed(file);
  const Problem problem =
      source::ReadProblemTable(tree, BroughtContract(), {}).value().value().problem;
  return WithHarness(tree, problem, BroughtContract(), Templates(), subject).value();
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Harness, IsAppendedAndParses) {
  const std::string whole = Whole(Softmax());
  EXPECT_EQ(whole.find(Softmax().substr(0, 200)), 0u);
  const source::SyntaxTree tree = testing::Parsed(whole);
  EXPECT_TRUE(HasHarness(tree));
  EXPECT_TRUE(Has(whole, "given = softmax(**"));
  EXPECT_TRUE(Has(whole, "\"x\": torch.randn((1024, 2048, ), generator=generator, device=device)"));
  EXPECT_TRUE(Has(whole, "VERIFY: PASS"));
  EXPECT_TRUE(Has(whole, "TFLOPS: {tflops:.2f}   time_ms: {elapsed_ms:.3f}"));
  EXPECT_TRUE(Has(whole, "CROQ states no flops"));
}

TEST(Harness, TheBaselineCallsTheReference) {
  EXPECT_TRUE(Has(Whole(Softmax(), HarnessSubject::kReference), "given = ref(**"));
}

TEST(Harness, AMainOfTheFileGoesOut) {
  const std::string whole =
      Whole(Softmax("triton.Config({'BLOCK': 64})", "",
                    "if __name__ == '__main__':\n    print('mine')\n\nLAST = 1\n"));
  EXPECT_FALSE(Has(whole, "mine"));
  EXPECT_TRUE(Has(whole, "LAST = 1"));
  EXPECT_TRUE(HasHarness(testing::Parsed(whole)));
}

TEST(Harness, KeepsCarriageReturns) {
  std::string file;
  for (const char c : Softmax()) file += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const std::string whole = Whole(file);
  for (std::size_t at = whole.find('\n'); at != std::string::npos; at = whole.find('\n', at + 1)) {
    ASSERT_EQ(whole[at - 1], '\r');
  }
}

TEST(Harness, DrawsWhatTheTableSays) {
  const std::string file =
      "import torch\nCROQ = {'entry': 'f', 'operator': 'f', 'dtype': 'f32', 'dims': {'M': 4}, "
      "'inputs': {'u': {'shape': ['M'], 'dtype': 'float32', 'distribution': ['uniform', -1, 3]}, "
      "'i': {'shape': [2, 'M'], 'dtype': 'int64', 'distribution': ['integer', 0, 9]}, "
      "'c': {'shape': [1], 'dtype': 'bfloat16', 'distribution': ['constant', 2]}, "
      "'a': {'shape': ['M'], 'dtype': 'int32', 'distribution': ['arange', 1, 2]}, "
      "'text': 'say \"x\"', 'flag': True, 'none': None, 'eps': 1e-6}, "
      "'inout': {'r': {'shape': ['M'], 'dtype': 'float32'}}, "
      "'outputs': {'y': {'shape': ['M'], 'dtype': 'float32'}, 'z': {'shape': [1], 'dtype': 'bool'}}, "
      "'reference': 'g'}\n"
      "def f(u, i, c, a, text, flag, none, eps, r, y): pass\ndef g(u, r): pass\n";
  const std::string whole = Whole(file);
  EXPECT_TRUE(Has(whole, "torch.rand((4, ), generator=generator, device=device).mul_(4).add_(-1)"));
  EXPECT_TRUE(Has(whole, "torch.randint(0, 10, (2, 4, ), generator=generator, device=device)"));
  EXPECT_TRUE(Has(whole, "torch.full((1, ), 2, device=device).to(torch.bfloat16)"));
  EXPECT_TRUE(Has(whole, "torch.arange(4, device=device).mul(2).add(1).to(torch.int32)"));
  EXPECT_TRUE(Has(whole, "\"text\": \"say \\\"x\\\"\""));
  EXPECT_TRUE(Has(whole, "\"none\": None"));
  EXPECT_TRUE(Has(whole, "\"eps\": 1e-06"));
  EXPECT_TRUE(Has(whole, "\"y\": torch.empty((4, ), device=device, dtype=torch.float32)"));
  // y is passed and z is returned; r is in place and comes last.
  EXPECT_TRUE(Has(whole, "return [arguments[\"y\"], made[0], arguments[\"r\"]]"));
  EXPECT_TRUE(Has(whole, "for name in (\"u\", \"r\", )"));
  (void)testing::Parsed(whole);
}

}  // namespace
}  // namespace croq::tune
