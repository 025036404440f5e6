#include "croq/tune/brought/brought_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/base/files.h"
#include "croq/base/hash.h"
#include "croq/source/literal.h"
#include "croq/source/problem_table.h"
#include "croq/tune/brought/harness.h"
#include "croq/tune/brought/literals.h"

namespace croq::tune {
namespace {

const std::string kContractEntry = "kernel_fn";
// Enough to tell two versions of a file apart, short enough to be read.
constexpr std::size_t kShortHash = 8;

/// M, N and K of a file that follows the contract, as its constants say.
Result<ShapeKey> ShapeOfConstants(const source::SyntaxTree& tree) {
  std::string dims;
  for (const char* name : {"M", "N", "K"}) {
    const std::vector<NamedLiteral> literals = FindNamedLiterals(tree);
    const auto found = std::find_if(literals.begin(), literals.end(),
                                    [&](const NamedLiteral& one) { return one.name == name; });
    const auto* value =
        found == literals.end() ? nullptr : std::get_if<std::int64_t>(&found->value);
    if (value == nullptr) {
      return UsageFailure(fmt::format(
          "{} has no {} = {{...}} that states its problem (docs/brought.md); for a matmul that "
          "follows the contract give --shape, such as --shape matmul_f16fp32_4096x4096x4096",
          tree.path(), source::kTableName));
    }
    dims += (dims.empty() ? "" : "x") + std::to_string(*value);
  }
  return ParseShapeKey("matmul_f16fp32_" + dims);
}

Status ReadContractFile(BroughtFile& file, const BroughtOptions& options) {
  const source::SyntaxTree& tree = *file.tree;
  if (!options.dims.empty()) {
    return UsageFailure(fmt::format("--dims: {} has no CROQ table whose dims could be changed; "
                                    "give --shape", tree.path()));
  }
  Result<ShapeKey> shape =
      options.shape.empty() ? ShapeOfConstants(tree) : ParseShapeKey(options.shape);
  if (!shape) return tl::unexpected(shape.error());
  file.shape = std::move(*shape);
  if (source::FindFunction(tree, kContractEntry) == nullptr) {
    return UsageFailure(fmt::format("{} has neither a CROQ table nor a function {}(a, b)",
                                    tree.path(), kContractEntry));
  }
  if (!HasHarness(tree)) {
    return UsageFailure(fmt::format("{} has no CROQ table and does not follow the contract: it "
                                    "needs verify(), bench() and a main that calls them",
                                    tree.path()));
  }
  return {};
}

Result<std::vector<Lever>> ReadProblem(BroughtFile& file, const contract::Contract& contract,
                                       const BroughtOptions& options) {
  CROQ_ASSIGN(std::optional<source::ProblemTable> table,
              source::ReadProblemTable(*file.tree, contract, {options.entry, options.dims}));
  if (!table) {
    CROQ_TRY(ReadContractFile(file, options));
    return std::vector<Lever>{};
  }
  if (!options.shape.empty()) {
    return UsageFailure(fmt::format("--shape: {} has a CROQ table, whose dims --dims changes",
                                    file.tree->path()));
  }
  file.shape = table->problem.key;
  file.problem = std::move(table->problem);
  return std::move(table->levers);
}

}  // namespace

std::string ReadTree::Refusal() const {
  return fmt::format("{}:{}: {}", line, column + 1, message);
}

const std::string& BroughtFile::Entry() const { return problem ? problem->entry : kContractEntry; }

Result<BroughtFile> ReadBroughtFile(const std::filesystem::path& path, TreeReader& reader,
                                    const contract::Contract& contract,
                                    const BroughtOptions& options) {
  BroughtFile file;
  std::error_code ignored;
  file.path = std::filesystem::absolute(path, ignored).lexically_normal();
  Result<std::string> bytes = ReadFile(path);
  if (!bytes) return UsageFailure(bytes.error().message);
  file.hash = Fingerprint(*bytes).substr(0, kShortHash);
  CROQ_ASSIGN(ReadTree read, reader.Read(path.string(), std::move(*bytes)));
  if (!read.tree) return UsageFailure(fmt::format("{}:{}", path.string(), read.Refusal()));
  file.tree = std::make_unique<source::SyntaxTree>(std::move(*read.tree));
  file.names = std::make_unique<source::Names>(*file.tree);
  LeverOptions levers;
  CROQ_ASSIGN(levers.declared, ReadProblem(file, contract, options));
  levers.contract_names = !file.problem;
  levers.widen = options.widen;
  levers.made = options.made;
  CROQ_ASSIGN(file.levers, FindLevers(*file.tree, *file.names, contract, levers));
  VariantSpace variant{fmt::format("{}_{}", file.Entry(), file.hash), {}};
  file.first.variant = variant.variant;
  for (const BroughtLever& lever : file.levers) {
    variant.levers.push_back(lever.lever);
    file.first.values.emplace(lever.lever.name, lever.first);
  }
  file.space.variants.push_back(std::move(variant));
  return file;
}

}  // namespace croq::tune
