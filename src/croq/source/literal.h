#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/source/syntax.h"

/// Literals in a person's file, read out of its tree. Every mistake is a usage error
/// `file:line:column: what is wrong and what to write instead`.
namespace croq::source {

tl::unexpected<Error> WrongAt(const SyntaxTree& tree, const Node& node, const std::string& what);

/// One `"key": value` of a dict.
struct DictEntry {
  std::string_view key;
  const Node* key_node = nullptr;
  const Node* value = nullptr;
};

/// The entries of a dict display whose keys are distinct strings. `what` names it in messages:
/// "dims".
Result<std::vector<DictEntry>> ReadDict(const SyntaxTree& tree, const Node& node,
                                        const std::string& what);

/// Refuses keys that are none of `known`, with a suggestion.
Status CheckKeys(const SyntaxTree& tree, const std::vector<DictEntry>& entries,
                 std::span<const std::string> known, const std::string& what);

/// The entry with that key, null where there is none.
const DictEntry* FindKey(const std::vector<DictEntry>& entries, std::string_view key);

/// A string literal. `what`: "entry", for the message.
Result<std::string> ReadString(const SyntaxTree& tree, const Node& node, const std::string& what);

/// The elements of a list or tuple display.
Result<std::vector<const Node*>> ReadSequence(const SyntaxTree& tree, const Node& node,
                                              const std::string& what);

/// 7, -7, nothing for anything else. True is none.
std::optional<std::int64_t> IntLiteral(const Node& node);
/// The same for 7, 7.5, -7e-3.
std::optional<double> RealLiteral(const Node& node);

/// The last function of that name that the module itself defines, also inside its `if` and `try`;
/// null where there is none.
const Node* FindFunction(const SyntaxTree& tree, std::string_view name);
/// Names of the functions that the module itself defines.
std::vector<std::string> FunctionNames(const SyntaxTree& tree);

/// The value of the last plain `name = value` among the module's own statements; null where there
/// is none.
const Node* FindModuleValue(const SyntaxTree& tree, std::string_view name);

/// A parameter of a function.
struct FunctionParameter {
  std::string_view name;
  bool positional_only = false;
  bool required = false;   ///< no default
};

struct FunctionSignature {
  std::vector<FunctionParameter> parameters;  ///< without * and **
  bool takes_any_name = false;                ///< **kwargs

  const FunctionParameter* Find(std::string_view name) const;
  std::vector<std::string> Names() const;
};

FunctionSignature SignatureOf(const Node& function);

}  // namespace croq::source
