#include "croq/tune/brought/literals.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "croq/source/literal.h"

namespace croq::tune {
namespace {

using source::Field;
using source::Kind;
using source::Node;
using source::SyntaxTree;

bool IsIdentifier(std::string_view text) {
  const auto fits = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') &&
         std::all_of(text.begin(), text.end(), fits);
}

struct Found {
  std::vector<std::pair<LeverValue, const Node*>> literals;
  bool usable = true;  ///< false: also bound to something that is no literal
};

using FoundByName = std::map<std::string, Found, std::less<>>;

/// The literal inside `tl.constexpr(4)`, or the node itself.
const Node& Inside(const Node& value) {
  if (!value.Is(Kind::kCall)) return value;
  const Node* function = value.Child(Field::kFunc);
  const std::vector<const Node*> arguments = value.Children(Field::kArgs);
  const bool constexpr_call = function != nullptr && function->text == "constexpr";
  return constexpr_call && arguments.size() == 1 ? *arguments.front() : value;
}

void AddOne(const SyntaxTree& tree, const Node& target, const Node* value, FoundByName& found) {
  if (!target.Is(Kind::kName)) return;
  Found& name = found[std::string(target.text)];
  const Node* literal = value == nullptr ? nullptr : &Inside(*value);
  const std::optional<LeverValue> read =
      literal == nullptr ? std::nullopt : LiteralValue(tree, *literal);
  if (read) {
    name.literals.emplace_back(*read, literal);
  } else {
    name.usable = false;
  }
}

void AddAssignment(const SyntaxTree& tree, const Node& statement, FoundByName& found) {
  const Node* value = statement.Child(Field::kValue);
  const bool annotated = statement.Is(Kind::kAnnAssign);
  const std::vector<const Node*> targets =
      statement.Children(annotated ? Field::kTarget : Field::kTargets);
  for (const Node* target : targets) {
    if (!target->Is(Kind::kTuple)) {
      // `A = B = 64`: one literal for two names can't be changed for one of them.
      AddOne(tree, *target, targets.size() == 1 ? value : nullptr, found);
      continue;
    }
    const std::vector<const Node*> names = target->Children(Field::kElts);
    const std::vector<const Node*> values =
        value->Is(Kind::kTuple) ? value->Children(Field::kElts) : std::vector<const Node*>{};
    for (std::size_t i = 0; i < names.size(); ++i) {
      AddOne(tree, *names[i], values.size() == names.size() ? values[i] : nullptr, found);
    }
  }
}

FoundByName ModuleConstants(const SyntaxTree& tree) {
  FoundByName found;
  std::set<const Node*> own;
  for (const Node* statement : tree.root().children) {
    if (statement->Is(Kind::kAssign) || statement->Is(Kind::kAnnAssign)) {
      AddAssignment(tree, *statement, found);
      own.insert(statement);
    }
  }
  // A name that `global` or another statement of the module writes is no constant.
  source::Walk(tree.root(), [&](const Node& node) {
    if (own.contains(&node) || node.Is(Kind::kFunctionDef) || node.Is(Kind::kClassDef) ||
        node.Is(Kind::kLambda)) {
      return false;
    }
    if (node.Is(Kind::kName) && node.access != source::Access::kLoad) {
      const auto at = found.find(node.text);
      if (at != found.end()) at->second.usable = false;
    }
    return true;
  });
  source::Walk(tree.root(), [&](const Node& node) {
    if (node.Is(Kind::kGlobal)) {
      for (auto& [name, one] : found) {
        if ((" " + std::string(node.text) + " ").find(" " + name + " ") != std::string::npos) {
          one.usable = false;
        }
      }
    }
    return true;
  });
  std::erase_if(found, [](const auto& one) { return one.second.literals.size() != 1; });
  return found;
}

FoundByName LaunchKeywords(const SyntaxTree& tree) {
  FoundByName found;
  source::Walk(tree.root(), [&](const Node& node) {
    if (!node.Is(Kind::kCall) || !node.Child(Field::kFunc)->Is(Kind::kSubscript)) return true;
    for (const Node* keyword : node.Children(Field::kKeywords)) {
      if (keyword->text.empty()) continue;
      Found& name = found[std::string(keyword->text)];
      const Node* value = keyword->Child(Field::kValue);
      const std::optional<LeverValue> read = LiteralValue(tree, *value);
      if (read && (name.literals.empty() || name.literals.front().first == *read)) {
        name.literals.emplace_back(*read, value);
      } else {
        name.usable = false;
      }
    }
    return true;
  });
  return found;
}

}  // namespace

std::optional<LeverValue> LiteralValue(const SyntaxTree& tree, const Node& node) {
  const std::optional<std::int64_t> whole = source::IntLiteral(node);
  if (whole) return *whole;
  const bool constant = node.Is(Kind::kConstant) || source::RealLiteral(node);
  if (!constant) return std::nullopt;
  return WordOf(tree.Text(node));
}

std::optional<LeverValue> WordOf(std::string_view python) {
  std::int64_t whole = 0;
  const auto [end, code] = std::from_chars(python.data(), python.data() + python.size(), whole);
  if (code == std::errc() && end == python.data() + python.size()) return whole;
  const bool quoted = python.size() > 2 && (python.front() == '"' || python.front() == '\'') &&
                      python.back() == python.front();
  if (quoted && IsIdentifier(python.substr(1, python.size() - 2))) {
    python = python.substr(1, python.size() - 2);
  }
  const std::string text(python);
  if (text.empty() || text.find_first_of(" \t\r\n") != std::string::npos) return std::nullopt;
  return text;
}

std::string PythonText(const LeverValue& value) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr) return ToText(value);
  const bool constant = *word == "True" || *word == "False" || *word == "None";
  return IsIdentifier(*word) && !constant ? "\"" + *word + "\"" : *word;
}

std::vector<NamedLiteral> FindNamedLiterals(const SyntaxTree& tree) {
  FoundByName all = ModuleConstants(tree);
  for (auto& [name, found] : LaunchKeywords(tree)) {
    // `num_warps=NUM_WARPS`: the constant is the lever then, under its own name.
    if (!all.contains(name) && found.usable) all.emplace(name, found);
  }
  std::vector<NamedLiteral> list;
  for (auto& [name, found] : all) {
    if (!found.usable || found.literals.empty()) continue;
    NamedLiteral one{name, found.literals.front().first, {}};
    for (const auto& [value, node] : found.literals) one.places.push_back(node);
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace croq::tune
