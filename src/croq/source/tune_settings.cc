#include "croq/source/tune_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

bool IsOfTriton(std::string_view name, std::string_view what) {
  return name.starts_with("triton.") && name.substr(name.rfind('.') + 1) == what;
}

/// The only binding of a name where that is a plain assignment.
const Binding* OnlyValue(const Names& names, const Node& expression) {
  if (!expression.Is(Kind::kName)) return nullptr;
  const auto bindings = names.BindingsOf(expression);
  return bindings.size() == 1 && bindings[0]->value != nullptr ? bindings[0] : nullptr;
}

/// Whether a name of the module is changed in place: `x.append(...)`, `x += ...`, `x[0] = ...`.
bool IsMutated(const SyntaxTree& tree, const Names& names, const Binding& binding) {
  bool mutated = false;
  Walk(tree.root(), [&](const Node& node) {
    if (!node.Is(Kind::kName) || node.text != binding.name || node.parent == nullptr) return true;
    const Node& parent = *node.parent;
    const bool call = parent.Is(Kind::kAttribute) && parent.parent != nullptr &&
                      parent.parent->Is(Kind::kCall) && parent.field == Field::kFunc;
    const bool store = parent.access != Access::kLoad &&
                       (parent.Is(Kind::kSubscript) || parent.Is(Kind::kAttribute));
    const bool augmented = parent.Is(Kind::kAugAssign) && node.field == Field::kTarget;
    if (!call && !store && !augmented) return true;
    const auto bindings = names.BindingsOf(node);
    mutated |= augmented || std::find(bindings.begin(), bindings.end(), &binding) != bindings.end();
    return true;
  });
  return mutated;
}

bool Collect(const SyntaxTree& tree, const Names& names, const Node& list,
             std::vector<const Node*>& found, int depth) {
  if (depth > 20) return false;
  if (list.Is(Kind::kCall) && IsTriton(names, *list.Child(Field::kFunc), "Config")) {
    found.push_back(&list);
    return true;
  }
  if (list.Is(Kind::kList) || list.Is(Kind::kTuple)) {
    return std::all_of(list.children.begin(), list.children.end(), [&](const Node* item) {
      return Collect(tree, names, *item, found, depth + 1);
    });
  }
  if (list.Is(Kind::kStarred)) {
    return Collect(tree, names, *list.Child(Field::kValue), found, depth + 1);
  }
  if (list.Is(Kind::kBinOp) && list.text == "Add") {
    return Collect(tree, names, *list.Child(Field::kLeft), found, depth + 1) &&
           Collect(tree, names, *list.Child(Field::kRight), found, depth + 1);
  }
  const Binding* binding = OnlyValue(names, list);
  return binding != nullptr && !IsMutated(tree, names, *binding) &&
         Collect(tree, names, *binding->value, found, depth + 1);
}

Status AddLiteral(PinConfig& config, const SyntaxTree& tree, const Names& names,
                  std::string_view name, const Node& value) {
  const auto text = LiteralText(tree, names, value);
  if (!text && KindOfKey(name) != KeyKind::kForeign) {
    return UsageFailure(fmt::format(
        "{}: the value of '{}' is computed; give the whole configuration with --config",
        PlaceOf(tree, value), name));
  }
  if (const Status added =
          AddValue(config, std::string(name), text.value_or(std::string(tree.Text(value))));
      !added) {
    return Wrap(added.error(), PlaceOf(tree, value));
  }
  return {};
}

/// The kwargs of a Config: a dict display or dict(...), names followed.
Status AddKwargs(PinConfig& config, const SyntaxTree& tree, const Names& names, const Node& given) {
  const Node& dict = Followed(names, given);
  const auto refused = [&](const Node& node) {
    return UsageFailure(fmt::format("{}: these constants are computed; give the configuration with "
                                    "--config", PlaceOf(tree, node)));
  };
  if (dict.Is(Kind::kCall) && names.Resolve(*dict.Child(Field::kFunc)) == "builtins.dict" &&
      dict.Children(Field::kArgs).empty()) {
    for (const Node* keyword : dict.Children(Field::kKeywords)) {
      if (keyword->text.empty()) return refused(*keyword);
      CROQ_TRY(AddLiteral(config, tree, names, keyword->text, *keyword->Child(Field::kValue)));
    }
    return {};
  }
  const auto keys = dict.Children(Field::kKeys);
  const auto values = dict.Children(Field::kValues);
  if (!dict.Is(Kind::kDict) || keys.size() != values.size() ||
      dict.children.size() != keys.size() + values.size())
    return refused(given);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i]->IsString()) return refused(*keys[i]);
    CROQ_TRY(AddLiteral(config, tree, names, keys[i]->text, *values[i]));
  }
  return {};
}

}  // namespace

const Node* ArgumentOf(const Node& call, std::string_view parameter, std::size_t position) {
  for (const Node* keyword : call.Children(Field::kKeywords)) {
    if (keyword->text == parameter) return keyword->Child(Field::kValue);
  }
  const auto given = call.Children(Field::kArgs);
  return position < given.size() && !given[position]->Is(Kind::kStarred) ? given[position]
                                                                         : nullptr;
}

const Node& Followed(const Names& names, const Node& expression) {
  const Node* at = &expression;
  for (int steps = 0; steps < 20; ++steps) {
    const Binding* binding = OnlyValue(names, *at);
    if (binding == nullptr) break;
    at = binding->value;
  }
  return *at;
}

bool IsTriton(const Names& names, const Node& expression, std::string_view what) {
  const std::vector<std::string> meanings = names.ResolveAll(expression);
  return !meanings.empty() && std::all_of(meanings.begin(), meanings.end(),
                                          [&](const std::string& name) {
                                            return IsOfTriton(CanonicalName(name), what);
                                          });
}

bool MayBeTriton(const Names& names, const Node& expression, std::string_view what) {
  const std::vector<std::string> meanings = names.ResolveAll(expression);
  return std::any_of(meanings.begin(), meanings.end(), [&](const std::string& name) {
    return IsOfTriton(CanonicalName(name), what);
  });
}

std::optional<std::string> LiteralText(const SyntaxTree& tree, const Names& names,
                                       const Node& value) {
  const Node& followed = Followed(names, value);
  if (followed.Is(Kind::kConstant)) return std::string(tree.Text(followed));
  if (followed.Is(Kind::kUnaryOp) && followed.Child(Field::kOperand)->Is(Kind::kConstant))
    return std::string(tree.Text(followed));
  const auto dotted = names.Resolve(followed);
  if (dotted && dotted->rfind("triton.language.", 0) == 0) return std::string(tree.Text(followed));
  return std::nullopt;
}

const Node* AutotuneCall(const Names& names, const Node& expression) {
  const Node& followed = Followed(names, expression);
  return followed.Is(Kind::kCall) && IsTriton(names, *followed.Child(Field::kFunc), "autotune")
             ? &followed
             : nullptr;
}

std::optional<std::vector<const Node*>> LiteralConfigs(const SyntaxTree& tree, const Names& names,
                                                       const Node& list) {
  std::vector<const Node*> found;
  if (!Collect(tree, names, list, found, 0)) return std::nullopt;
  return found;
}

Result<PinConfig> ReadConfig(const SyntaxTree& tree, const Names& names, const Node& call) {
  constexpr std::array kPositional = {"", "num_warps", "num_stages", "num_ctas", "maxnreg"};
  PinConfig config;
  const auto given = call.Children(Field::kArgs);
  for (std::size_t i = 0; i < given.size() && i != kPreHookPosition; ++i) {
    if (i >= kPositional.size() || given[i]->Is(Kind::kStarred)) {
      return UsageFailure(fmt::format("{}: this argument of Config is not understood; give the "
                                      "configuration with --config", PlaceOf(tree, *given[i])));
    }
    CROQ_TRY(i == 0 ? AddKwargs(config, tree, names, *given[0])
                    : AddLiteral(config, tree, names, kPositional[i], *given[i]));
  }
  for (const Node* keyword : call.Children(Field::kKeywords)) {
    const Node& value = *keyword->Child(Field::kValue);
    if (keyword->text == "pre_hook") continue;
    const bool kwargs = keyword->text == "kwargs" || keyword->text == "meta";  // meta: Triton 1
    if (keyword->text.empty() || (!kwargs && KindOfKey(keyword->text) == KeyKind::kConstant)) {
      return UsageFailure(fmt::format("{}: no argument '{}' of Config is known; give the "
                                      "configuration with --config", PlaceOf(tree, *keyword),
                                      keyword->text.empty() ? "**" : keyword->text));
    }
    CROQ_TRY(kwargs ? AddKwargs(config, tree, names, value)
                    : AddLiteral(config, tree, names, keyword->text, value));
  }
  return config;
}

std::optional<std::vector<std::string>> StringsOf(const Names& names, const Node& list) {
  const Node& followed = Followed(names, list);
  std::vector<std::string> strings;
  if (followed.Is(Kind::kConstant) && followed.constant == ConstantType::kNone) return strings;
  if (!followed.Is(Kind::kList) && !followed.Is(Kind::kTuple) && !followed.Is(Kind::kSet))
    return std::nullopt;
  for (const Node* item : followed.children) {
    if (!item->IsString()) return std::nullopt;
    strings.emplace_back(item->text);
  }
  return strings;
}

}  // namespace croq::source
