#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "croq/source/purity/hot.h"
#include "croq/source/purity/imports.h"

/// Configurations, and the hooks that Triton calls around their launches.
namespace croq::source::purity {
namespace {

// Of triton.Config, in order.
constexpr std::array<std::string_view, 7> kConfigParameters{
    "kwargs", "num_warps", "num_stages", "num_ctas", "maxnreg", "pre_hook", "ir_override"};
// Of triton.autotune: what it calls around launches and between them.
constexpr std::array<std::string_view, 4> kSearchHooks{"pre_hook", "post_hook", "prune_configs_by",
                                                       "do_bench"};

bool Is(const Scene& scene, const Node& call, std::string_view name) {
  return std::ranges::any_of(scene.MeaningsOf(*call.Child(Field::kFunc)),
                             [&](const Meaning& meaning) {
                               return meaning.Is(Meaning::Kind::kExternal) && meaning.name == name;
                             });
}

void CheckOption(Scene& scene, std::string_view name, const Node& at, const Chain& chain,
                 bool config) {
  const Ruling ruling = scene.rules.Of(Zone::kLaunch, name);
  if (ruling.forbidden()) {
    scene.Add(ruling.code, at, chain,
              fmt::format("the configuration carries '{}': {}", name, ruling.text));
  } else if (config && name.starts_with("launch_")) {
    scene.Add("E202", at, chain,
              fmt::format("the configuration carries '{}', which is no fixed configuration", name));
  }
}

/// Positional arguments by the names of their parameters, then keywords; (name, value).
std::vector<std::pair<std::string_view, const Node*>> OptionsOf(const Node& config) {
  std::vector<std::pair<std::string_view, const Node*>> options;
  for (const Node* argument : config.Children(Field::kArgs)) {
    if (options.size() < kConfigParameters.size())
      options.emplace_back(kConfigParameters[options.size()], argument);
  }
  for (const Node* keyword : config.Children(Field::kKeywords))
    options.emplace_back(keyword->text, keyword->Child(Field::kValue));
  return options;
}

bool IsNone(const Node& value) {
  return value.Is(Kind::kConstant) && value.constant == ConstantType::kNone;
}

void EnterHook(Scene& scene, Hot& hot, const Node& hook, std::string_view duty) {
  if (hook.Is(Kind::kDict)) {  // prune_configs_by
    for (const Node* item : hook.children) {
      if (item->field != Field::kKeys)
        EnterHook(scene, hot, *item, duty);
    }
    return;
  }
  if (hook.Is(Kind::kConstant))
    return;
  const Chain chain{{std::string(duty), hook.span.line, hook.span.column}};
  for (const Meaning& meaning : scene.MeaningsOf(hook)) {
    if (meaning.Is(Meaning::Kind::kFunction)) {
      hot.EnterHook(*meaning.node, chain);
    } else if (meaning.Is(Meaning::Kind::kValue) && meaning.node->Is(Kind::kDict)) {
      EnterHook(scene, hot, *meaning.node, duty);
    } else {
      scene.Add("E206", hook, chain, fmt::format("croq can't follow '{}', which Triton calls as '{}'",
                                                 Shown(scene.tree, hook), duty));
    }
  }
}

}  // namespace

void CheckConfig(Scene& scene, const Node& call, const Chain& chain) {
  const bool config = Is(scene, call, "triton.Config");
  for (const Node* keyword : call.Children(Field::kKeywords))
    CheckOption(scene, keyword->text, *keyword, chain, config);
  if (!config)
    return;
  for (const auto& [name, value] : OptionsOf(call)) {
    if (name.empty() || value->Is(Kind::kStarred)) {
      const auto keys = name.empty() ? KeysOf(scene, *value) : std::nullopt;
      if (!keys)
        scene.Add("E204", *value, chain, fmt::format("croq can't see what '{}' gives a configuration",
                                                     Shown(scene.tree, *value)));
      for (const std::string& key : keys.value_or(std::vector<std::string>()))
        CheckOption(scene, key, *value, chain, true);
    } else if (name == "kwargs") {
      const auto keys = KeysOf(scene, *value);
      for (const std::string& key : keys.value_or(std::vector<std::string>()))
        CheckOption(scene, key, *value, chain, true);
    } else if (name == "ir_override" && !IsNone(*value) && value->parent == &call) {
      CheckOption(scene, name, *value, chain, true);
    } else if (name == "pre_hook" && !scene.baseline() && !value->Is(Kind::kConstant)) {
      scene.Add("E206", *value, chain, "the configuration carries a hook");
    }
  }
}

void EnterHooks(Scene& scene, Hot& hot) {
  for (const Node* call : scene.calls()) {
    if (Is(scene, *call, "triton.set_allocator")) {
      for (const Node* argument : call->Children(Field::kArgs))
        EnterHook(scene, hot, *argument, "set_allocator");
    } else if (!scene.baseline()) {
      continue;  // those of a search are findings where they stand
    } else if (Is(scene, *call, "triton.Config")) {
      for (const auto& [name, value] : OptionsOf(*call)) {
        if (name == "pre_hook")
          EnterHook(scene, hot, *value, name);
      }
    } else if (Is(scene, *call, "triton.autotune")) {
      for (const Node* keyword : call->Children(Field::kKeywords)) {
        if (std::ranges::find(kSearchHooks, keyword->text) != kSearchHooks.end())
          EnterHook(scene, hot, *keyword->Child(Field::kValue), keyword->text);
      }
    }
  }
}

/// Other implementations could be registered with an operator of torch's.
void CheckOperators(Scene& scene) {
  const auto registers = [&](const Node& function) {
    return scene.IsDecoratedWith(function, "torch.library.triton_op") ||
           scene.IsDecoratedWith(function, "torch.library.custom_op");
  };
  Walk(scene.tree.root(), [&](const Node& node) {
    if (!node.Is(Kind::kAttribute) || node.text == "register_fake")
      return true;
    for (const Meaning& meaning : scene.MeaningsOf(*node.Child(Field::kValue))) {
      if (meaning.Is(Meaning::Kind::kFunction) && !meaning.node->Is(Kind::kLambda) &&
          registers(*meaning.node)) {
        scene.Add("E105", node, {}, fmt::format("'{}' reaches into an operator that torch's "
                                                "dispatcher calls",
                                                Shown(scene.tree, node)));
      }
    }
    return true;
  });
}

}  // namespace croq::source::purity
