#include "croq/source/read_autotune.h"

#include <algorithm>
#include <span>

#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

/// triton.autotune's parameters, in order.
constexpr std::string_view kAutotuneArguments[] = {
    "configs",   "key",    "prune_configs_by", "reset_to_zero",  "restore_value", "pre_hook",
    "post_hook", "warmup", "rep",              "use_cuda_graph", "do_bench",      "cache_results"};
/// triton.Config's.
constexpr std::string_view kConfigArguments[] = {"kwargs",  "num_warps", "num_stages", "num_ctas",
                                                 "maxnreg", "pre_hook",  "ir_override"};

/// The arguments of a call by the names of its parameters, as they stand. `**x` has no name.
template <typename Visit>
void EachArgument(const Node& call, std::span<const std::string_view> parameters, Visit&& visit) {
  std::size_t position = 0;
  for (const Node* child : call.children) {
    if (child->field == Field::kArgs) {
      const bool starred = child->Is(Kind::kStarred);
      visit(starred || position >= parameters.size() ? std::string_view() : parameters[position],
            *child);
      ++position;
    } else if (child->field == Field::kKeywords) {
      visit(child->text, *child->Child(Field::kValue));
    }
  }
}

Setting MakeSetting(std::string_view name, const Node& node, const StaticValues& values,
                    const Variables& variables = {}) {
  return {std::string(name), &node, values.EvaluateLiteral(node, variables)};
}

constexpr std::size_t kMostConfigs = 5000;
constexpr std::size_t kMostExamples = 100;
constexpr int kMaxNesting = 20;  // {**{**{...}}}, and x = {**x}

/// The pairs of a dict display or dict(...); false where some are not seen.
template <typename Visit>
bool EachPair(const Names& names, const StaticValues& values, const Node& given,
              const Variables& variables, Visit&& visit, int depth = 0) {
  const Node* node = values.Follow(given);
  if (node == nullptr || depth > kMaxNesting)
    return false;
  if (node->Is(Kind::kDict)) {
    bool whole = true;
    const auto keys = node->Children(Field::kKeys);
    std::size_t at = 0;
    for (const Node* child : node->children) {
      if (child->field == Field::kOther) {
        whole = EachPair(names, values, *child, variables, visit, depth + 1) && whole;
      } else if (child->field == Field::kValues && at < keys.size()) {
        const auto key = values.EvaluateLiteral(*keys[at++], variables);
        const auto* text = key ? std::get_if<std::string>(&*key) : nullptr;
        whole = whole && text != nullptr;
        if (text != nullptr)
          visit(*text, *child);
      }
    }
    return whole;
  }
  if (CalledName(names, *node) != "builtins.dict")
    return false;
  bool whole = true;
  for (const Node* child : node->children) {
    if (child->field == Field::kArgs || (child->field == Field::kKeywords && child->text.empty())) {
      const Node* inner = child->Is(Kind::kKeyword) ? child->Child(Field::kValue) : child;
      whole = EachPair(names, values, *inner, variables, visit, depth + 1) && whole;
    } else if (child->field == Field::kKeywords) {
      visit(std::string(child->text), *child->Child(Field::kValue));
    }
  }
  return whole;
}

ConfigInfo ReadConfig(const Names& names, const StaticValues& values, const Node& call,
                      const Variables& variables) {
  ConfigInfo config;
  config.node = &call;
  EachArgument(call, kConfigArguments, [&](std::string_view name, const Node& node) {
    if (name == "kwargs" || name == "meta") {  // its name until Triton 2
      const auto add = [&](const std::string& key, const Node& value) {
        config.kwargs.push_back(MakeSetting(key, value, values, variables));
      };
      if (!EachPair(names, values, node, variables, add))
        config.known = false;
      if (name == "meta")
        config.options.push_back({"meta", &node, std::nullopt});
    } else if (name == "pre_hook") {
      const auto none = values.EvaluateLiteral(node, variables);
      if (!none || !std::holds_alternative<std::monostate>(*none))
        config.pre_hook = &node;
    } else if (name.empty()) {
      config.known = false;
    } else {
      config.options.push_back(MakeSetting(name, node, values, variables));
    }
  });
  const auto unread = [](const Setting& setting) { return !setting.literal; };
  const auto meta = [&](const Setting& setting) {
    return unread(setting) && setting.name != "meta";
  };
  if (std::any_of(config.kwargs.begin(), config.kwargs.end(), unread) ||
      std::any_of(config.options.begin(), config.options.end(), meta))
    config.known = false;
  return config;
}

bool UsesProduct(const Names& names, const Node& node) {
  bool found = false;
  Walk(node, [&](const Node& below) {
    found = found || CalledName(names, below) == "itertools.product";
    return !found;
  });
  return found;
}

ConfigsForm FormOf(const Names& names, const Node& node) {
  switch (node.kind) {
    case Kind::kList:
    case Kind::kTuple:
      return ConfigsForm::kLiteral;
    case Kind::kListComp:
    case Kind::kGeneratorExp:
      return UsesProduct(names, node) ? ConfigsForm::kProduct : ConfigsForm::kComprehension;
    case Kind::kName:
    case Kind::kAttribute:
      return ConfigsForm::kName;
    case Kind::kCall: {
      const std::string name = CalledName(names, node);
      const Node* argument = Argument(node, 0, "");
      if (argument != nullptr && (name == "builtins.list" || name == "builtins.tuple"))
        return FormOf(names, *argument);
      return UsesProduct(names, node) ? ConfigsForm::kProduct : ConfigsForm::kCall;
    }
    default:
      return ConfigsForm::kExpression;
  }
}

/// The Config calls below a node. They are examples: how many of each are made is not known.
void AddBelow(const Names& names, const StaticValues& values, const Node& node,
              std::vector<ConfigInfo>& configs) {
  Walk(node, [&](const Node& below) {
    if (configs.size() < kMostExamples && IsConfig(CalledName(names, below))) {
      configs.push_back(ReadConfig(names, values, below, {}));
      configs.back().known = false;
    }
    return true;
  });
}

/// Where a list is made step by step: the Config calls of the function that makes it, or those
/// that are put into a variable (`configs.append(triton.Config(...))`).
void AddMade(const Names& names, const StaticValues& values, const Node& node,
             std::vector<ConfigInfo>& configs) {
  const bool call = node.Is(Kind::kCall);
  const Node& name = call ? *node.Child(Field::kFunc) : node;
  AddBelow(names, values, node, configs);
  if (!name.Is(Kind::kName) || !configs.empty())
    return;
  for (const Binding* binding : names.BindingsOf(name)) {
    if (call && binding->node->Is(Kind::kFunctionDef)) {
      AddBelow(names, values, *binding->node, configs);
    } else if (!call) {
      if (binding->value != nullptr)
        AddBelow(names, values, *binding->value, configs);
      Walk(*binding->scope, [&](const Node& below) {
        const Node* method = below.Is(Kind::kCall) ? below.Child(Field::kFunc) : nullptr;
        const Node* base = method == nullptr ? nullptr : method->Child(Field::kValue);
        if (base != nullptr && base->Is(Kind::kName) && base->text == name.text)
          AddBelow(names, values, below, configs);
        return true;
      });
      return;
    }
  }
}

void ReadConfigs(const SyntaxTree& tree, const Names& names, const StaticValues& values,
                 const Node& node, AutotuneInfo& info) {
  info.configs_node = &node;
  info.form = FormOf(names, node);
  if (info.form == ConfigsForm::kName)
    info.configs_from = tree.Text(node);
  if (info.form == ConfigsForm::kCall)
    info.configs_from = tree.Text(*node.Child(Field::kFunc));
  info.configs_known = values.ForEach(node, {}, [&](const Node& element, const Variables& around) {
    const Node* call = values.Follow(element);
    if (info.configs.size() >= kMostConfigs || call == nullptr || !IsConfig(CalledName(names, *call)))
      return false;
    info.configs.push_back(
        ReadConfig(names, values, *call, call == &element ? around : Variables()));
    return info.configs.back().known;
  });
  if (!info.configs_known && info.configs.empty())
    AddMade(names, values, node, info.configs);
}

WordList ReadWords(const StaticValues& values, const Node& node) {
  WordList list;
  const auto none = values.EvaluateLiteral(node);
  if (none && std::holds_alternative<std::monostate>(*none))
    return list;
  list.node = &node;
  list.known = values.ForEach(node, {}, [&](const Node& element, const Variables& around) {
    const auto literal = values.EvaluateLiteral(element, around);
    const auto* text = literal ? std::get_if<std::string>(&*literal) : nullptr;
    if (text != nullptr)
      list.words.push_back({*text, &element});
    return text != nullptr;
  });
  return list;
}

const Setting* Find(const std::vector<Setting>& settings, std::string_view name) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [name](const Setting& one) { return one.name == name; });
  return found == settings.end() ? nullptr : &*found;
}

}  // namespace

const Setting* AutotuneInfo::Option(std::string_view name) const {
  return Find(options, name);
}
const Setting* AutotuneInfo::Prune(std::string_view name) const {
  return Find(prune, name);
}

AutotuneInfo ReadAutotune(const SyntaxTree& tree, const Names& names, const StaticValues& values,
                          const Node& call) {
  AutotuneInfo info;
  info.call = &call;
  EachArgument(call, kAutotuneArguments, [&](std::string_view name, const Node& node) {
    if (name == "configs") {
      ReadConfigs(tree, names, values, node, info);
    } else if (name == "key") {
      info.key = ReadWords(values, node);
    } else if (name == "reset_to_zero") {
      info.reset_to_zero = ReadWords(values, node);
    } else if (name == "restore_value") {
      info.restore_value = ReadWords(values, node);
    } else {
      info.options.push_back(MakeSetting(name, node, values));
      if (name == "prune_configs_by") {
        EachPair(names, values, node, {}, [&](const std::string& key, const Node& value) {
          info.prune.push_back(MakeSetting(key, value, values));
        });
      }
    }
  });
  return info;
}

HeuristicsInfo ReadHeuristics(const Names& names, const StaticValues& values, const Node& call) {
  HeuristicsInfo info;
  info.call = &call;
  const Node* given = Argument(call, 0, "values");
  info.known = given != nullptr &&
               EachPair(names, values, *given, {}, [&](const std::string& key, const Node& value) {
                 info.values.push_back({key, &value, std::nullopt});
               });
  return info;
}

}  // namespace croq::source
