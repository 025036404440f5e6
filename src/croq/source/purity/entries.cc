#include "croq/source/purity/entries.h"

#include <algorithm>
#include <unordered_set>

#include "croq/source/literal.h"
#include "croq/source/problem_table.h"

namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

std::vector<std::string> WantedNames(const Scene& scene) {
  if (!scene.options.entries.empty())
    return scene.options.entries;
  std::vector<std::string> named;
  const Node* table = FindModuleValue(scene.tree, kTableName);
  if (table != nullptr && table->Is(Kind::kDict)) {
    const std::vector<const Node*> keys = table->Children(Field::kKeys);
    const std::vector<const Node*> values = table->Children(Field::kValues);
    for (std::size_t index = 0; index < keys.size() && index < values.size(); ++index) {
      if (keys[index]->text == "entry" && values[index]->IsString())
        named.emplace_back(values[index]->text);
    }
  }
  if (!named.empty())
    return named;
  for (const Binding* binding : scene.names.BindingsIn(scene.tree.root())) {
    if (binding->name == "kernel_fn")
      return {"kernel_fn"};
  }
  return {};
}

void AddClass(const Scene& scene, const Node& of_class, Entries& entries) {
  entries.classes.push_back(&of_class);
  for (const Binding* binding : scene.names.BindingsIn(of_class)) {
    if ((binding->name == "__call__" || binding->name == "forward") &&
        IsFunctionNode(*binding->node))
      entries.functions.push_back(binding->node);
  }
}

void AddValue(const Scene& scene, const Node& value, Entries& entries) {
  bool found = false;
  for (const Meaning& meaning : scene.MeaningsOf(value)) {
    if (meaning.Is(MeaningKind::kFunction)) {
      entries.functions.push_back(meaning.node);
      found = true;
    } else if (meaning.Is(MeaningKind::kClass)) {
      AddClass(scene, *meaning.node, entries);
      found = true;
    }
  }
  if (value.Is(Kind::kCall)) {
    for (const Meaning& meaning : scene.MeaningsOf(*value.Child(Field::kFunc))) {
      if (meaning.Is(MeaningKind::kClass)) {
        AddClass(scene, *meaning.node, entries);
        found = true;
      }
    }
  }
  const bool nothing = value.Is(Kind::kConstant) && value.constant == ConstantType::kNone;
  if ((!found && !nothing) || value.Is(Kind::kCall))
    entries.others.push_back({&value, found});
}

void AddNamed(const Scene& scene, const std::string& name, Entries& entries) {
  bool found = false;
  for (const Binding* binding : scene.names.BindingsIn(scene.tree.root())) {
    if (binding->name != name)
      continue;
    found = true;
    const Node& node = *binding->node;
    if (node.Is(Kind::kFunctionDef) || node.Is(Kind::kAsyncFunctionDef)) {
      entries.functions.push_back(&node);
    } else if (node.Is(Kind::kClassDef)) {
      AddClass(scene, node, entries);
    } else if (binding->value == nullptr) {  // an import, a loop's target, ...
      entries.others.push_back({&node, false});
    } else {
      AddValue(scene, *binding->value, entries);
    }
  }
  for (const Node* function : scene.functions()) {
    if (!found && QualifiedName(*function) == name) {
      entries.functions.push_back(function);
      found = true;
    }
  }
  if (!found)
    entries.missing.push_back(name);
}

bool Launches(const Scene& scene, const Node& call) {
  const Node& callee = *call.Child(Field::kFunc);
  return callee.Is(Kind::kSubscript) && !scene.KernelsOf(*callee.Child(Field::kValue)).empty();
}

bool MentionsKernel(const Scene& scene, const Node& expression) {
  bool mentions = false;
  Walk(expression, [&](const Node& node) {
    mentions = mentions || (node.Is(Kind::kName) && node.access == Access::kLoad &&
                            !scene.KernelsOf(node).empty());
    return !mentions;
  });
  return mentions;
}

/// `run = kernel[grid]`, `kernel.run`, `wrap(kernel)[grid](...)`, `getattr(kernel, "run")`.
bool TakesKernel(const Scene& scene, const Node& node) {
  if (node.Is(Kind::kSubscript) || node.Is(Kind::kAttribute)) {
    const Node& of = *node.Child(Field::kValue);
    return (of.Is(Kind::kName) || of.Is(Kind::kAttribute) || of.Is(Kind::kCall)) &&
           MentionsKernel(scene, of);
  }
  return node.Is(Kind::kCall) &&
         scene.names.Resolve(*node.Child(Field::kFunc)) == "builtins.getattr" &&
         MentionsKernel(scene, node);
}

/// Where nothing launches plainly: whatever takes something out of a kernel.
void AddTaking(const Scene& scene, Entries& entries) {
  for (const Node* function : scene.functions()) {
    if (EnclosingFunction(*function) != nullptr || scene.IsKernel(*function))
      continue;
    bool takes = false;
    for (const Node* statement : function->Children(Field::kBody)) {
      Walk(*statement, [&](const Node& node) {
        takes = takes || TakesKernel(scene, node);
        return !takes;
      });
    }
    if (takes)
      entries.functions.push_back(function);
  }
}

}  // namespace

Entries FindEntries(const Scene& scene) {
  Entries entries;
  const std::vector<std::string> wanted = WantedNames(scene);
  for (const std::string& name : wanted) AddNamed(scene, name, entries);
  if (!wanted.empty())
    return entries;
  std::unordered_set<const Node*> seen;
  for (const Node* call : scene.calls()) {
    const Node* function = Launches(scene, *call) ? EnclosingFunction(*call) : nullptr;
    // A lambda or a nested function runs inside the function that makes it.
    for (const Node* outer = function; outer != nullptr; outer = EnclosingFunction(*outer))
      function = outer;
    if (function != nullptr && !scene.IsKernel(*function) && seen.insert(function).second)
      entries.functions.push_back(function);
  }
  if (entries.functions.empty())
    AddTaking(scene, entries);
  // Tests and benchmarks may launch too; they are launchers only where nothing else is.
  const auto harness = [](const Node* function) {
    const std::string_view name = function->text;
    return name.starts_with("test") || name.starts_with("bench") || name == "verify" ||
           name == "main";
  };
  if (!std::ranges::all_of(entries.functions, harness))
    std::erase_if(entries.functions, harness);
  return entries;
}

}  // namespace croq::source::purity
