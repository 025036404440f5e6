#include "croq/source/resolve.h"

#include <algorithm>

#include "croq/source/builtins.h"

namespace croq::source {
namespace {

/// Far above what a file that means well needs; together they keep a file of the largest size well
/// under a second.
constexpr int kMaxResolveDepth = 300;
constexpr std::size_t kMaxNames = 64;
constexpr int kMaxResolveSteps = 1'000'000;

bool IsNone(const Node& node) {
  return node.Is(Kind::kConstant) && node.constant == ConstantType::kNone;
}

Meaning Unknown() {
  return {{}, true, true};
}
Meaning TooMuch() {
  return {{Resolver::kTooMuch}, true, true};
}

void Merge(const Meaning& from, Meaning& to) {
  std::vector<std::string> names;
  std::set_union(to.names.begin(), to.names.end(), from.names.begin(), from.names.end(),
                 std::back_inserter(names));
  if (names.size() > kMaxNames)
    names = {Resolver::kTooMuch};
  to.names = std::move(names);
  to.unknown |= from.unknown;
  to.whole &= from.whole;
}

std::string ModuleOf(const Node& statement) {
  if (statement.level == 0)
    return std::string(statement.text);
  return statement.text.empty() ? "." : ".." + std::string(statement.text);
}

std::string NameOfImport(const Node& alias) {
  const Node& statement = *alias.parent;
  if (statement.Is(Kind::kImportFrom))
    return ModuleOf(statement) + "." + std::string(alias.text);
  return std::string(alias.as_name.empty() ? alias.text.substr(0, alias.text.find('.'))
                                           : alias.text);
}

}  // namespace

Meaning Resolver::Of(const Node& expression) {
  asked_ = {};  // clear() would visit every bucket that an earlier question needed
  return Evaluate(expression, 0);
}

Meaning Resolver::Evaluate(const Node& node, int depth) {
  if (depth > kMaxResolveDepth || ++steps_ > kMaxResolveSteps)
    return TooMuch();
  Meaning meaning;
  switch (node.kind) {
    case Kind::kName:
      return OfName(node, depth + 1);
    case Kind::kAttribute:
      if (const Node* base = node.Child(Field::kValue)) {
        meaning = Evaluate(*base, depth + 1);
        for (std::string& name : meaning.names) {
          if (name != kTooMuch)
            name.append(".").append(node.text);
        }
        std::sort(meaning.names.begin(), meaning.names.end());
        return meaning;
      }
      return Unknown();
    case Kind::kNamedExpr:
      if (const Node* value = node.Child(Field::kValue))
        return Evaluate(*value, depth + 1);
      return Unknown();
    case Kind::kIfExp:
    case Kind::kBoolOp:
      for (const Node* child : node.children) {
        if (child->field != Field::kTest)
          Merge(Evaluate(*child, depth + 1), meaning);
      }
      return meaning;
    default:
      return IsNone(node) ? Meaning() : Unknown();
  }
}

Meaning Resolver::OfName(const Node& node, int depth) {
  Meaning meaning;
  bool bound = false;
  for (const Bindings* bindings : scopes_.Lists(node.text, node)) {
    bound = true;
    Merge(OfBindings(*bindings, depth), meaning);
  }
  return bound ? meaning : OfUnbound(node);
}

Meaning Resolver::OfUnbound(const Node& node) const {
  const std::string name(node.text);
  Meaning meaning;
  for (const Node* star : scopes_.star_imports())
    Merge({{ModuleOf(*star) + "." + name}, false, true}, meaning);
  if (name == "__builtins__") {
    Merge({{"builtins"}, false, true}, meaning);
  } else if (IsBuiltin(name)) {
    Merge({{"builtins." + name}, false, true}, meaning);
  } else {
    meaning.unknown |= scopes_.star_imports().empty();
  }
  return meaning;
}

Meaning Resolver::OfBindings(const Bindings& bindings, int depth) {
  if (const auto kept = kept_.find(&bindings); kept != kept_.end())
    return kept->second;
  if (const auto asked = asked_.find(&bindings); asked != asked_.end())
    return asked->second;
  asked_[&bindings].whole = false;  // for whoever leads back here
  Meaning meaning;
  for (const Binding* binding : bindings) {
    if (!IsDeletion(*binding))
      Merge(OfBinding(*binding, depth), meaning);
  }
  asked_[&bindings] = meaning;
  if (meaning.whole || depth <= 1) {
    meaning.whole = true;
    kept_[&bindings] = meaning;
  }
  return meaning;
}

Meaning Resolver::OfBinding(const Binding& binding, int depth) {
  const Node& node = *binding.node;
  if (node.Is(Kind::kAlias))
    return {{NameOfImport(node)}, false, true};
  if (node.Is(Kind::kFunctionDef) || node.Is(Kind::kAsyncFunctionDef) || node.Is(Kind::kClassDef))
    return {{"." + std::string(node.text)}, false, true};
  return binding.value == nullptr ? Unknown() : Evaluate(*binding.value, depth + 1);
}

}  // namespace croq::source
