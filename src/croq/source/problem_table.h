#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/contract/contract.h"
#include "croq/model/problem.h"
#include "croq/model/search_space.h"
#include "croq/source/syntax.h"

namespace croq::source {

/// What the command line says over the table.
struct TableOptions {
  std::string entry;                          ///< --entry; empty: the table's
  std::map<std::string, std::int64_t> dims;   ///< --dims
};

/// What a file's `CROQ = {...}` says.
struct ProblemTable {
  Problem problem;
  std::vector<Lever> levers;  ///< its own "levers"; empty: the autotune configurations are taken
};

/// The name of the table.
inline constexpr const char* kTableName = "CROQ";

/// Reads the table out of the tree: a literal, nothing of the file is run. Nothing is returned where
/// the file has none. Each mistake is a usage error with its place and what to write instead.
/// docs/brought.md documents the keys.
Result<std::optional<ProblemTable>> ReadProblemTable(const SyntaxTree& tree,
                                                     const contract::Contract& contract,
                                                     const TableOptions& options);

}  // namespace croq::source
