#include "croq/tune/brought/small_problem.h"

#include <algorithm>
#include <utility>

#include "croq/source/problem_table.h"

namespace croq::tune {
namespace {

std::int64_t ElementsOf(const Problem& problem) {
  std::int64_t sum = 0;
  for (const TensorSpec& tensor : problem.tensors) sum += tensor.Elements();
  return sum;
}

std::int64_t Halved(std::int64_t length) {
  const std::int64_t half = length / 2;
  return length % 2 == 1 && half % 2 == 0 ? half + 1 : half;
}

}  // namespace

std::optional<Problem> SmallerProblem(const source::SyntaxTree& tree, const Problem& problem,
                                      const contract::Contract& contract,
                                      std::int64_t most_elements) {
  Problem small = problem;
  std::vector<Dimension> dims = problem.key.dimensions;
  while (ElementsOf(small) > most_elements) {
    const auto largest = std::max_element(
        dims.begin(), dims.end(),
        [](const Dimension& a, const Dimension& b) { return a.value < b.value; });
    if (largest == dims.end() || largest->value < 4) return std::nullopt;
    largest->value = Halved(largest->value);
    source::TableOptions options{problem.entry, {}};
    for (const Dimension& dim : dims) options.dims.emplace(dim.name, dim.value);
    Result<std::optional<source::ProblemTable>> table =
        source::ReadProblemTable(tree, contract, options);
    if (!table || !*table) return std::nullopt;
    small = std::move((*table)->problem);
  }
  return small;
}

}  // namespace croq::tune
