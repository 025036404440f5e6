#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "croq/source/purity/imports.h"
#include "croq/source/purity/module_zone.h"

namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

// Attributes that reach into other functions.
constexpr std::array<std::string_view, 13> kReaching{
    "__code__",  "__globals__", "__closure__", "__subclasses__", "__builtins__",
    "__defaults__", "__kwdefaults__", "f_back", "f_locals",     "f_globals",
    "tb_frame",  "gi_frame",    "__bases__"};

class Cold {
 public:
  Cold(Scene& scene, const Hot& hot) : scene_(scene), hot_(hot) {}

  void Judge(const Node& node, const Chain& chain) {
    chain_ = chain;
    Visit(node);
  }

 private:
  void Visit(const Node& node);
  void Name(const Node& node);
  void Call(const Node& call);
  void Global(const Node& statement);
  void Add(std::string_view code, const Node& at, std::string message) {
    scene_.Add(code, at, chain_, std::move(message));
  }

  Scene& scene_;
  const Hot& hot_;
  Chain chain_;
};

void Cold::Visit(const Node& node) {
  if (node.Is(Kind::kFunctionDef) && hot_.Reached(node))
    return;
  if (node.Is(Kind::kGlobal))
    return Global(node);
  if (node.Is(Kind::kImportFrom) || node.Is(Kind::kImport)) {
    for (const Import& import : ImportsOf(node)) {
      const Ruling ruling = scene_.rules.Of(Zone::kCold, import.name);
      if (ruling.forbidden() && ruling.code == "E408")
        Add(ruling.code, node, fmt::format("'{}' is imported: {}", import.name, ruling.text));
    }
  }
  const bool place = node.Is(Kind::kAttribute) || node.Is(Kind::kSubscript);
  if (place && node.access != Access::kLoad)
    CheckForeignWrite(scene_, node, Zone::kCold, chain_);
  if (node.Is(Kind::kCall))
    Call(node);
  if ((node.Is(Kind::kName) || node.Is(Kind::kAttribute)) && node.access == Access::kLoad)
    Name(node);
  for (const Node* child : node.children) Visit(*child);
}

void Cold::Name(const Node& node) {
  if (node.Is(Kind::kAttribute) && std::ranges::find(kReaching, node.text) != kReaching.end()) {
    return Add("E405", node, fmt::format("'{}' reaches into another function",
                                         Shown(scene_.tree, node)));
  }
  if (node.parent->Is(Kind::kAttribute))
    return;  // the whole chain counts
  for (const Meaning& meaning : scene_.MeaningsOf(node)) {
    if (!meaning.Is(MeaningKind::kExternal))
      continue;
    const Ruling ruling = scene_.rules.Of(Zone::kCold, meaning.name);
    if (ruling.forbidden())
      Add(ruling.code, node, fmt::format("{} is forbidden in cold code too: {}",
                                         Who(scene_, node, meaning.name), ruling.text));
  }
}

void Cold::Call(const Node& call) {
  const Node& callee = *call.Child(Field::kFunc);
  const auto name = scene_.names.Resolve(callee);
  if (name == "builtins.setattr" || name == "builtins.delattr") {
    return Add("E501", call, fmt::format("'{}' may change what others measure with",
                                         Shown(scene_.tree, call)));
  }
  if (name == "builtins.vars") {
    const Node* of = call.Child(Field::kArgs);
    const bool module = of != nullptr && scene_.names.Resolve(*of).has_value();
    if (module)
      Add("E401", call, fmt::format("'{}' gives names to write to", Shown(scene_.tree, call)));
  }
  if (callee.Is(Kind::kAttribute) && callee.text == "add_pre_run_hook")
    Add("E206", call, fmt::format("'{}' hangs a hook on a kernel", Shown(scene_.tree, call)));
  if (callee.Is(Kind::kAttribute) && ChangesContainer(callee.text))
    CheckForeignWrite(scene_, callee, Zone::kCold, chain_);
}

void Cold::Global(const Node& statement) {
  std::string_view names = statement.text;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const auto& functions = scene_.functions();
    const bool judged =
        hot_.read().contains(name) || std::ranges::any_of(functions, [&](const Node* function) {
          return function->text == name && EnclosingFunction(*function) == nullptr &&
                 (hot_.Reached(*function) || scene_.IsKernel(*function));
        });
    if (judged) {
      Add("E301", statement,
          fmt::format("'{}', which the launcher uses, is written here", name));
    }
  }
}

}  // namespace

void JudgeCold(Scene& scene, const Hot& hot, const ModuleZone& module) {
  Cold cold(scene, hot);
  for (const Node* statement : module.main_statements())
    cold.Judge(*statement, {{"main", statement->span.line, statement->span.column}});
  for (const Node* function : scene.functions()) {
    if (EnclosingFunction(*function) != nullptr || hot.Reached(*function) ||
        scene.IsKernel(*function))
      continue;
    for (const Node* statement : function->Children(Field::kBody))
      cold.Judge(*statement, {StepOf(*function)});
  }
}

void CheckForeignWrite(Scene& scene, const Node& target, Zone zone, const Chain& chain) {
  const Node& base = *target.Child(Field::kValue);
  const bool attribute = target.Is(Kind::kAttribute) && target.access != Access::kLoad;
  for (const Meaning& meaning : scene.MeaningsOf(base)) {
    if (meaning.Is(MeaningKind::kFunction) || meaning.Is(MeaningKind::kKernel) ||
        meaning.Is(MeaningKind::kClass)) {
      if (attribute && !base.Is(Kind::kCall)) {
        scene.Add("E304", target, chain, fmt::format("'{}' is put on a function or class",
                                                     Shown(scene.tree, target)));
      }
      continue;
    }
    // type(x).f = g; at module level also what a loop or with statement binds.
    const bool made = base.Is(Kind::kCall) &&
                      scene.names.Resolve(*base.Child(Field::kFunc)) == "builtins.type";
    const bool context = meaning.binding != nullptr && IsContext(*meaning.binding);
    const bool unknown = zone == Zone::kModule && meaning.Is(MeaningKind::kUnknown) && !context;
    if (attribute && (made || unknown)) {
      scene.Add("E501", target, chain, fmt::format("'{}' is put on an object of others",
                                                   Shown(scene.tree, target)));
    }
    if (!meaning.Is(MeaningKind::kExternal))
      continue;
    const bool environment = meaning.name.starts_with("os.environ");
    const std::string name = target.Is(Kind::kAttribute) && target.access != Access::kLoad
                                 ? meaning.name + "." + std::string(target.text)
                                 : meaning.name;
    if (!environment && meaning.name.starts_with("builtins.") && target.access == Access::kLoad)
      continue;
    const Ruling ruling = scene.rules.Of(zone, name);
    if (zone == Zone::kCold && name.starts_with("torch.backends."))
      return;  // the reference may ask for its precision
    const bool setting = ruling.verdict == Ruling::Verdict::kAllowed && ruling.code == "S105";
    if (setting)
      return scene.Add("S105", target, chain, fmt::format("{} is set at import",
                                                          Who(scene, target, name)));
    if (ruling.forbidden())
      scene.Add(ruling.code, target, chain,
                fmt::format("{} is written: {}", Who(scene, target, name), ruling.text));
    return scene.Add(environment ? "E505" : "E501", target, chain,
                     fmt::format("{} is written, which is not this file's", Who(scene, target, name)));
  }
}

}  // namespace croq::source::purity
