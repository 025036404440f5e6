#include "croq/tune/brought/small_problem.h"

#include "croq/source/problem_table.h"
#include "unit/tune_brought/helpers.h"

namespace croq::tune {
namespace {

Problem Of(const source::SyntaxTree& tree) {
  return source::ReadProblemTable(tree, BroughtContract(), {}).value().value().problem;
}

TEST(SmallProblem, HalvesTheLargestDimensions) {
  const source::SyntaxTree tree = testing::Parsed(Softmax());
  const Problem small = SmallerProblem(tree, Of(tree), BroughtContract(), 10'000).value();
  EXPECT_EQ(small.key.text, "softmax_f16fp32_64x64");
  EXPECT_EQ(small.tensors[0].shape, (std::vector<std::int64_t>{64, 64}));
  EXPECT_EQ(SmallerProblem(tree, Of(tree), BroughtContract(), 1 << 30)->key.text,
            "softmax_f16fp32_1024x2048");
}

TEST(SmallProblem, OddStaysOdd) {
  std::string file = Softmax();
  file.replace(file.find("2048"), 4, "2047");
  const source::SyntaxTree tree = testing::Parsed(file);
  const Problem small = SmallerProblem(tree, Of(tree), BroughtContract(), 100'000).value();
  EXPECT_EQ(small.tensors[0].shape[1] % 2, 1);
}

TEST(SmallProblem, IsNoneWhereAFormulaDoesNotFollow) {
  std::string file = Softmax();
  file.replace(file.find("['M', 'N']"), 10, "['M', 'N - 1024']");
  const source::SyntaxTree tree = testing::Parsed(file);
  EXPECT_EQ(SmallerProblem(tree, Of(tree), BroughtContract(), 100), std::nullopt);
}

}  // namespace
}  // namespace croq::tune
