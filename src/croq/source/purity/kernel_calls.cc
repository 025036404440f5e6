#include <fmt/format.h>

#include <algorithm>

#include "croq/source/purity/imports.h"
#include "croq/source/purity/kernels.h"

/// What kernels call: objects of Python, and what stores.
namespace croq::source::purity {

using MeaningKind = Meaning::Kind;

/// A call of a class of the file, and of what the module holds: `log.append(x)`.
void Kernels::CheckObject(const Node& call) {
  const Node& callee = *call.Child(Field::kFunc);
  for (const Meaning& meaning : scene_.MeaningsOf(callee)) {
    if (!meaning.Is(MeaningKind::kClass))
      continue;
    for (const Binding* binding : scene_.names.BindingsIn(*meaning.node)) {
      if (IsDunder(binding->name) && IsFunctionNode(*binding->node) &&
          !scene_.IsKernel(*binding->node))
        Add("E601", call, fmt::format("'{}' runs '{}' while Triton compiles the kernel",
                                      Shown(scene_.tree, call), QualifiedName(*binding->node)));
    }
  }
  const Node* root = RootName(callee);
  for (const Meaning& meaning : root != nullptr ? scene_.MeaningsOf(*root)
                                                : std::vector<Meaning>()) {
    const bool held = meaning.Is(MeaningKind::kValue) &&
                      EnclosingFunction(*meaning.node) == nullptr &&
                      !IsPlainConstant(scene_, *meaning.node);
    if (held)
      Add("E601", call, fmt::format("'{}' is a method of what the module holds, and runs while "
                                    "Triton compiles the kernel",
                                    Shown(scene_.tree, callee)));
  }
}

bool Kernels::Stores(const Node& kernel) const {
  std::vector<const Node*> seen;
  return StoresWithin(kernel, seen);
}

bool Kernels::StoresWithin(const Node& kernel, std::vector<const Node*>& seen) const {
  if (std::ranges::find(seen, &kernel) != seen.end())
    return false;
  seen.push_back(&kernel);
  bool stores = false;
  Walk(kernel, [&](const Node& node) {
    if (!node.Is(Kind::kCall) || stores)
      return !stores;
    const Node& callee = *node.Child(Field::kFunc);
    const std::string_view last = callee.text;
    if (callee.Is(Kind::kAttribute) || callee.Is(Kind::kName)) {
      const auto name = scene_.names.Resolve(callee);
      const bool language = name && name->starts_with("triton.");
      const bool method = callee.Is(Kind::kAttribute) && !name;
      const std::string member = language ? name->substr(name->rfind('.') + 1) : std::string(last);
      stores = (language || method) &&
               (member.find("store") != std::string::npos || member.starts_with("atomic_") ||
                member.starts_with("inline_asm") || member == "scatter" ||
                member.find("copy_local_to_global") != std::string::npos);
    }
    for (const Meaning& meaning : scene_.MeaningsOf(callee)) {
      if (!stores && meaning.Is(MeaningKind::kKernel))
        stores = StoresWithin(*meaning.node, seen);
      // A function that comes in as a parameter may do anything that a kernel may.
      if (meaning.Is(MeaningKind::kUnknown) && meaning.node->Is(Kind::kArg))
        stores = true;
    }
    return !stores;
  });
  return stores;
}

}  // namespace croq::source::purity
