#include <fmt/format.h>

#include <algorithm>

#include "croq/source/purity/hot.h"

/// What the hot zone writes: anything that outlives the call could hold an old answer.
namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

bool IsInside(const Node& node, const Node& outer) {
  for (const Node* each = &node; each != nullptr; each = each->parent) {
    if (each == &outer)
      return true;
  }
  return false;
}

}  // namespace

void Hot::Write(const Node& target) {
  const Node& base = *target.Child(Field::kValue);
  if (const Node* slice = target.Child(Field::kSlice))
    Visit(*slice);
  const auto meanings = scene_.MeaningsOf(base);
  for (const Meaning& meaning : meanings) {
    if (!meaning.Is(MeaningKind::kExternal))
      continue;
    const std::string name = target.Is(Kind::kAttribute)
                                 ? meaning.name + "." + std::string(target.text)
                                 : meaning.name;
    const Ruling ruling = scene_.rules.Of(Zone::kHot, name);
    if (scene_.baseline() && ruling.baseline_only)
      return;
    const bool environment = meaning.name == "os.environ" || meaning.name == "os.environb";
    const bool setting = ruling.code == "E510" || ruling.code == "E206";
    Add(environment ? "E505" : setting ? ruling.code : "E501", target,
        fmt::format("{} is written in the hot path", Who(scene_, target, name)));
    return;
  }
  Visit(base);
  if (target.Is(Kind::kAttribute))
    return WriteAttribute(target);
  WriteInto(base, target);
}

void Hot::WriteAttribute(const Node& target) {
  const Node& base = *target.Child(Field::kValue);
  if (base.Is(Kind::kName)) {
    bool local = true;
    for (const Binding* binding : scene_.names.BindingsOf(base)) {
      const bool in_init = binding->node->Is(Kind::kArg) && function_->text == "__init__" &&
                           binding->node->parent->parent == function_;
      const bool made_here = binding->value != nullptr && binding->value->Is(Kind::kCall) &&
                             !OutlivesCall(*binding);
      local = local && (IsContext(*binding) || in_init || made_here);
    }
    if (local && !scene_.names.BindingsOf(base).empty())
      return;
  }
  if (SizesDescriptor(target))
    return;
  Add("E304", target, fmt::format("'{}' is written in the hot path and kept between calls",
                                  Shown(scene_.tree, target)));
}

/// `kept += [out]` changes the list that `kept` was bound to.
void Hot::WriteName(const Node& target) {
  for (const Meaning& meaning : scene_.MeaningsOf(target)) {
    const bool container = meaning.Is(MeaningKind::kValue) && !meaning.node->Is(Kind::kConstant) &&
                           !meaning.node->Is(Kind::kTuple) && !meaning.node->Is(Kind::kBinOp);
    if (container && EnclosingFunction(*meaning.node) == nullptr && !tensors_.Is(target)) {
      Add("E305", target, fmt::format("'{}' may be what outlives the call, and is added to",
                                      target.text));
    }
  }
}

/// nargs["desc"].block_shape = [...] in a hook: Triton's own way to fit a descriptor to a
/// configuration.
bool Hot::SizesDescriptor(const Node& target) const {
  const Node& base = *target.Child(Field::kValue);
  return hooks_.contains(function_) && target.text == "block_shape" && base.Is(Kind::kSubscript) &&
         base.Child(Field::kSlice)->IsString() && base.Child(Field::kValue)->Is(Kind::kName) &&
         target.parent->Is(Kind::kAssign) && !tensors_.Is(*target.parent->Child(Field::kValue));
}

void Hot::WriteInto(const Node& container, const Node& at) {
  if (tensors_.Is(container))
    return Add("S111", at, fmt::format("'{}' writes a tensor by torch", Shown(scene_.tree, at)));
  const Node* root = RootName(container);
  bool outlives = root == nullptr ? !IsFresh(container) : false;
  if (root != nullptr) {
    const auto bindings = scene_.names.BindingsOf(*root);
    if (std::ranges::any_of(bindings, [](const Binding* each) { return IsContext(*each); }))
      return;
    if (scene_.names.Resolve(container).value_or("").starts_with("os.environ"))
      return Add("E505", at, "the environment is written in the hot path");
    outlives = bindings.empty() || container.Is(Kind::kAttribute);
    for (const Binding* binding : bindings) {
      // What a container of this call holds may be older than the call.
      const bool inner = root != &container && binding->value != nullptr &&
                         HoldsModuleName(*binding->value);
      outlives = outlives || inner || OutlivesCall(*binding);
    }
  }
  if (outlives) {
    Add("E305", at, fmt::format("'{}' writes into what outlives the call: a later one may read it",
                                Shown(scene_.tree, at)));
  }
}

bool Hot::HoldsModuleName(const Node& value) const {
  bool holds = false;
  Walk(value, [&](const Node& node) {
    if (node.Is(Kind::kName)) {
      for (const Binding* binding : scene_.names.BindingsOf(node)) {
        holds = holds || (binding->scope->Is(Kind::kModule) && binding->node->Is(Kind::kName));
      }
    }
    return !holds;
  });
  return holds;
}

bool Hot::OutlivesCall(const Binding& binding) const {
  const Node& scope = *binding.scope;
  if (scope.Is(Kind::kModule) || scope.Is(Kind::kClassDef))
    return true;
  if (!IsInside(scope, *function_) && !reached_.contains(&scope))
    return true;  // a closure's variable
  if (binding.node->Is(Kind::kArg)) {
    if (binding.node->field == Field::kVarArg || binding.node->field == Field::kKwArg)
      return false;
    const std::vector<const Node*>& arguments = scene_.ArgumentsFor(*binding.node);
    return arguments.empty() || !std::ranges::all_of(arguments, [&](const Node* argument) {
      const bool is_default =
          argument->field == Field::kDefaults || argument->field == Field::kKwDefaults;
      return is_default ? argument->Is(Kind::kConstant) : IsFresh(*argument);
    });
  }
  return binding.value == nullptr || !IsFresh(*binding.value);
}

bool Hot::IsFresh(const Node& value) const {
  Seen seen;
  return IsFresh(value, seen);
}

/// What leads back to a name takes nothing away from it.
bool Hot::IsFresh(const Node& value, Seen& seen) const {
  if (!scene_.Spend())
    return false;
  switch (value.kind) {
    case Kind::kDict:
    case Kind::kList:
    case Kind::kSet:
    case Kind::kTuple:
    case Kind::kListComp:
    case Kind::kSetComp:
    case Kind::kDictComp:
    case Kind::kConstant:
    case Kind::kJoinedStr:
      return true;
    case Kind::kBinOp:
      return IsFresh(*value.Child(Field::kLeft), seen) ||
             IsFresh(*value.Child(Field::kRight), seen);
    case Kind::kIfExp:
      return IsFresh(*value.Child(Field::kBody), seen) &&
             IsFresh(*value.Child(Field::kOrElse), seen);
    case Kind::kName: {
      const auto bindings = scene_.names.BindingsOf(value);
      return !bindings.empty() && std::ranges::all_of(bindings, [&](const Binding* binding) {
        return !binding->scope->Is(Kind::kModule) && binding->value != nullptr &&
               (!seen.insert(binding).second || IsFresh(*binding->value, seen));
      });
    }
    case Kind::kCall:
      break;
    default:
      return false;
  }
  const Node& callee = *value.Child(Field::kFunc);
  if (callee.Is(Kind::kAttribute) && callee.text == "copy")
    return true;
  const auto name = scene_.names.Resolve(callee);
  if (name && name->starts_with("builtins."))
    return *name == "builtins.list" || *name == "builtins.dict" || *name == "builtins.set" ||
           *name == "builtins.sorted" || *name == "builtins.bytearray";
  if (name && name->starts_with("collections."))
    return true;
  bool fresh = false;
  for (const Meaning& meaning : scene_.MeaningsOf(callee)) {
    if (!meaning.Is(MeaningKind::kFunction) || meaning.node->Is(Kind::kLambda))
      return false;
    fresh = true;
    if (!seen.insert(meaning.node).second)
      continue;
    Walk(*meaning.node, [&](const Node& node) {
      if (node.Is(Kind::kReturn) && node.Child(Field::kValue) != nullptr)
        fresh = fresh && IsFresh(*node.Child(Field::kValue), seen);
      return true;
    });
  }
  return fresh;
}

}  // namespace croq::source::purity
