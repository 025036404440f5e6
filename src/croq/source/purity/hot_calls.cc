#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "croq/source/purity/hot.h"
#include "croq/source/purity/imports.h"
#include "croq/source/words.h"

/// Calls, methods and launches of the hot zone.
namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

constexpr std::array<std::string_view, 9> kComputingBuiltins{
    "abs", "sum", "max", "min", "pow", "round", "divmod", "math.prod", "math.fsum"};
constexpr std::array<std::string_view, 10> kReadingBuiltins{
    "float", "int", "bool", "str", "repr", "any", "all", "sorted", "hash", "complex"};

/// The names that a loop binds anew each time.
void AddTargets(const Node& target, std::vector<std::string_view>& names) {
  Walk(target, [&](const Node& node) {
    if (node.Is(Kind::kName))
      names.push_back(node.text);
    return true;
  });
}

/// hasattr(torch, "xpu"): no value is handed on.
bool AsksModule(const Scene& scene, const Node& call) {
  const std::vector<const Node*> arguments = call.Children(Field::kArgs);
  return arguments.size() == 2 && call.Children(Field::kKeywords).empty() &&
         scene.names.Resolve(*call.Child(Field::kFunc)) == "builtins.hasattr" &&
         arguments[1]->IsString() && scene.names.Resolve(*arguments[0]).has_value();
}

bool Mentions(const Node& value, const std::vector<std::string_view>& names) {
  bool found = false;
  Walk(value, [&](const Node& node) {
    found = found || (node.Is(Kind::kName) && std::ranges::find(names, node.text) != names.end());
    return !found;
  });
  return found;
}

}  // namespace

void Hot::Call(const Node& call) {
  const Node& callee = *call.Child(Field::kFunc);
  CheckConfig(scene_, call, chain_);
  const bool asks = AsksModule(scene_, call);
  for (const Node* child : call.children) {
    if (child->field != Field::kFunc && !asks)
      Visit(*child);
  }
  if (callee.Is(Kind::kSubscript)) {
    const std::vector<Meaning> meanings = scene_.MeaningsOf(callee);
    const bool item = std::ranges::any_of(meanings, [](const Meaning& meaning) {
      return meaning.Is(MeaningKind::kExternal) || meaning.Is(MeaningKind::kFunction) ||
             meaning.Is(MeaningKind::kClass);
    });
    Visit(*callee.Child(Field::kSlice));
    if (!item && callee.Child(Field::kSlice)->Is(Kind::kConstant) &&
        scene_.KernelsOf(*callee.Child(Field::kValue)).empty()) {  // a table's item is called
      Visit(*callee.Child(Field::kValue));
      return Add("E110", call, fmt::format("croq can't follow what '{}' calls",
                                           Shown(scene_.tree, callee)));
    }
    if (!item)
      return Launch(call, *callee.Child(Field::kValue));
    Visit(*callee.Child(Field::kValue));
    for (const Meaning& meaning : meanings) ReferTo(meaning, callee, true);
    return;
  }
  for (const Meaning& meaning : scene_.MeaningsOf(callee)) {
    const std::string_view name = meaning.name;
    if (meaning.Is(MeaningKind::kExternal) && name.starts_with("builtins."))
      CheckBuiltin(call, name.substr(9));
    else if (meaning.Is(MeaningKind::kExternal) && name.starts_with("math."))
      CheckBuiltin(call, name);
  }
  if (callee.Is(Kind::kAttribute)) {
    const bool runs = callee.text == "run" && !scene_.KernelsOf(*callee.Child(Field::kValue)).empty();
    return runs ? Launch(call, *callee.Child(Field::kValue)) : Method(call, callee);
  }
  if (callee.Is(Kind::kName))
    return Reference(callee, true);
  Visit(callee);
  for (const Meaning& meaning : scene_.MeaningsOf(callee)) ReferTo(meaning, callee, true);
}

void Hot::CheckBuiltin(const Node& call, std::string_view name) {
  const std::vector<const Node*> arguments = call.Children(Field::kArgs);
  if (name == "getattr" || name == "hasattr") {
    if (arguments.size() < 2 || !arguments[1]->IsString()) {
      Add("E401", call, fmt::format("'{}' takes a name that is made while the program runs",
                                    Shown(scene_.tree, call)));
    } else if (name == "getattr" || IsDunder(arguments[1]->text)) {
      Add("E401", call, fmt::format("'{}' hides which attribute is meant",
                                    Shown(scene_.tree, call)));
    }
    return;
  }
  const bool computes = Holds(kComputingBuiltins, name);
  if (!computes && !Holds(kReadingBuiltins, name))
    return;
  const bool adds = name == "sum" || name == "math.prod" || name == "math.fsum";
  if (std::ranges::none_of(arguments, [&](const Node* each) {
        return adds ? tensors_.IsOrHolds(*each) : tensors_.Is(*each);
      }))
    return;
  Add(computes ? "E104" : "E111", call,
      fmt::format("'{}' {} in the hot path", Shown(scene_.tree, call),
                  computes ? "makes torch compute with a tensor" : "reads a tensor's values"));
}

void Hot::Method(const Node& call, const Node& attribute) {
  const std::vector<Meaning> meanings = scene_.MeaningsOf(attribute);
  const bool member = std::ranges::any_of(meanings, [](const Meaning& meaning) {
    return meaning.Is(MeaningKind::kMember) || meaning.Is(MeaningKind::kValue) ||
           meaning.Is(MeaningKind::kUnknown);
  });
  Reference(attribute, true);
  if (!member || OwnMethod(attribute))
    return;
  const std::string_view name = attribute.text;
  const Node& base = *attribute.Child(Field::kValue);
  if (IsDunder(name))
    return;  // said already
  const bool tensor = tensors_.Is(base);
  const Ruling ruling = scene_.rules.Method(name);
  if (ChangesContainer(name) && !tensor && ruling.code != "E103")
    return WriteInto(base, call);
  const std::string shown = Shown(scene_.tree, attribute);
  if (ruling.unlisted()) {
    Add("E109", call,
        fmt::format("the method '{}' is not among what a launcher may use", shown));
  } else if (!ruling.code.empty()) {
    Add(ruling.code, call, fmt::format("'{}' in the hot path: {}", shown, ruling.text));
  }
}

/// A method of an object whose class the file defines. What an object's attribute holds can't be
/// followed, though it may be called `view`.
bool Hot::OwnMethod(const Node& attribute) {
  const std::vector<const Node*> classes = scene_.ClassesOf(*attribute.Child(Field::kValue));
  bool found = false;
  for (const Node* of_class : classes) {
    for (const Binding* binding : scene_.names.BindingsIn(*of_class)) {
      if (binding->name == attribute.text && IsFunctionNode(*binding->node)) {
        Reach(*binding->node);
        found = true;
      }
    }
  }
  const bool of_tuples = attribute.text == "_replace" || attribute.text == "_asdict";
  if (!classes.empty() && !found && !of_tuples) {
    Add("E110", attribute, fmt::format("croq can't follow what '{}' calls",
                                       Shown(scene_.tree, attribute)));
    found = true;
  }
  return found;
}

void Hot::Launch(const Node& call, const Node& launched) {
  Visit(launched);
  bool known = true;
  std::vector<const Node*> kernels;
  for (const Meaning& meaning : scene_.MeaningsOf(launched)) {
    if (meaning.Is(MeaningKind::kKernel)) {
      kernels.push_back(meaning.node);
    } else if (!meaning.Is(MeaningKind::kValue) || !meaning.node->Is(Kind::kCall) ||
               scene_.KernelsOf(launched).empty()) {
      known = false;
    }
  }
  if (!known || kernels.empty()) {
    Add("E207", call, fmt::format("'{}' is launched, and it is no @triton.jit function of this file",
                                  Shown(scene_.tree, launched)));
  }
  for (const Node* kernel : kernels) {
    launches_[function_].push_back(kernel);
    CheckKeywords(call, *kernel);
  }
  CheckSearch(call);
}

void Hot::CheckKeywords(const Node& call, const Node& kernel) {
  for (const Node* keyword : call.Children(Field::kKeywords)) {
    if (!keyword->text.empty()) {
      CheckKeyword(keyword->text, *keyword, kernel);
      continue;
    }
    const Node& value = *keyword->Child(Field::kValue);
    const auto keys = KeysOf(scene_, value);
    if (!keys) {
      Add("E204", *keyword, fmt::format("croq can't see which keywords '**{}' passes",
                                        Shown(scene_.tree, value)));
      continue;
    }
    for (const std::string& key : *keys) CheckKeyword(key, *keyword, kernel);
  }
}

void Hot::CheckKeyword(std::string_view name, const Node& at, const Node& kernel) {
  const std::vector<const Node*> parameters = ParametersOf(kernel);
  if (std::ranges::find(parameters, name, &Node::text) != parameters.end())
    return;
  if ((name == "grid" || name == "warmup") && at.parent->Child(Field::kFunc)->Is(Kind::kAttribute))
    return;  // kernel.run(..., grid=...)
  const Ruling ruling = scene_.rules.Of(Zone::kLaunch, name);
  if (ruling.forbidden()) {
    Add(ruling.code, at, fmt::format("the launch passes '{}': {}", name, ruling.text));
  } else if (ruling.unlisted()) {
    Add("E202", at, fmt::format("the launch passes '{}', which is no parameter of '{}' and no fixed "
                                "configuration",
                                name, kernel.text));
  }
}

/// A loop around a launch whose configuration changes with it.
void Hot::CheckSearch(const Node& call) {
  std::vector<std::string_view> targets;
  for (const Node* outer = call.parent; outer != nullptr && outer != function_;
       outer = outer->parent) {
    if (outer->Is(Kind::kFor) || outer->Is(Kind::kComprehension))
      AddTargets(*outer->Child(Field::kTarget), targets);
  }
  if (targets.empty())
    return;
  for (const Node* keyword : call.Children(Field::kKeywords)) {
    const Node* value = keyword->Child(Field::kValue);
    if (value == nullptr || !Mentions(*value, targets))
      continue;
    const bool option = keyword->text.empty() ||
                        scene_.rules.Of(Zone::kLaunch, keyword->text).verdict ==
                            Ruling::Verdict::kAllowed;
    if (option) {
      Add("E205", *keyword, fmt::format("the configuration '{}' changes from launch to launch in a "
                                        "loop",
                                        Shown(scene_.tree, *keyword)));
    }
  }
}

}  // namespace croq::source::purity
