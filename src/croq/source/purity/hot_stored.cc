#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "croq/source/purity/hot.h"

/// What the hot zone reads of the module: values that were made at import, and what they hold.

#include "croq/source/words.h"
namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

/// What gives its items once only.
bool IsIterator(std::string_view name) {
  constexpr std::array<std::string_view, 7> kIterators{
      "builtins.iter",      "builtins.zip", "builtins.map", "builtins.filter", "builtins.enumerate",
      "builtins.reversed", "re.finditer"};
  return Holds(kIterators, name) || name.starts_with("itertools.");
}

/// list(zip(a, b)): its items were taken out at once.
bool IsUsedUp(const Scene& scene, const Node& iterator) {
  constexpr std::array<std::string_view, 10> kTaking{
      "builtins.list", "builtins.tuple", "builtins.dict", "builtins.set", "builtins.sorted",
      "builtins.sum",  "builtins.max",   "builtins.min",  "builtins.len", "builtins.frozenset"};
  const Node& user = *iterator.parent;
  return user.Is(Kind::kCall) && iterator.field == Field::kArgs &&
         Holds(kTaking, scene.names.Resolve(*user.Child(Field::kFunc)).value_or(""));
}

}  // namespace

void Hot::ReadModuleName(const Node& name) {
  for (const Binding* binding : scene_.names.BindingsOf(name)) {
    if (!binding->scope->Is(Kind::kModule))
      continue;
    read_.insert(binding->name);
    if (!binding->node->Is(Kind::kName))
      continue;
    const Node* written = state_.WrittenAt(binding->name);
    if (written != nullptr) {
      Add("E306", name, fmt::format("'{}' is read here and changed at line {}: it may hold an old "
                                    "answer",
                                    binding->name, written->span.line));
    }
    if (binding->value != nullptr && stored_.insert(binding->value).second)
      ReadStored(*binding->value, name);
  }
}

/// What a value of the module holds that the hot zone could run.
void Hot::ReadStored(const Node& value, const Node& reader) {
  switch (value.kind) {
    case Kind::kName:
    case Kind::kAttribute:
      return ReadStoredName(value, reader);
    case Kind::kLambda:
      return Reach(value);
    case Kind::kGeneratorExp:
      return Add("E306", reader,
                 fmt::format("'{}' goes on from call to call", Shown(scene_.tree, reader)));
    case Kind::kCall:
      break;
    default:
      for (const Node* child : value.children) ReadStored(*child, reader);
      return;
  }
  if (value.Child(Field::kFunc)->Is(Kind::kCall))  // lru_cache(None)(f)
    ReadStored(*value.Child(Field::kFunc), reader);
  for (const Meaning& meaning : scene_.MeaningsOf(*value.Child(Field::kFunc))) {
    if (meaning.Is(MeaningKind::kClass))
      ReachClass(*meaning.node, reader);
    if (!meaning.Is(MeaningKind::kExternal))
      continue;
    const Ruling ruling = scene_.rules.Of(Zone::kHot, meaning.name);
    const bool keeps = ruling.forbidden() && !ruling.code.starts_with("E5") &&
                       ruling.code != "E112" && !(scene_.baseline() && ruling.baseline_only);
    const bool task = ruling.code >= "E502" && ruling.code <= "E504";
    if (keeps || task) {
      Add(ruling.code, reader,
          fmt::format("'{}' holds what {} gave: {}", Shown(scene_.tree, reader),
                      Who(scene_, *value.Child(Field::kFunc), meaning.name), ruling.text));
    } else if (IsIterator(meaning.name) && !IsUsedUp(scene_, value)) {
      Add("E306", reader, fmt::format("'{}' goes on from call to call", Shown(scene_.tree, reader)));
    }
  }
  for (const Meaning& meaning : scene_.MeaningsOf(value)) {
    if (meaning.Is(MeaningKind::kFunction))
      Reach(*meaning.node);
  }
  for (const Node* child : value.children) {
    // A generator that is an argument has run out by the time the name is bound.
    if (child->field != Field::kFunc && !child->Is(Kind::kGeneratorExp))
      ReadStored(*child, reader);
  }
}

void Hot::ReadStoredName(const Node& node, const Node& reader) {
  for (const Meaning& meaning : scene_.MeaningsOf(node)) {
    if (meaning.Is(MeaningKind::kFunction)) {
      Reach(*meaning.node);
    } else if (meaning.Is(MeaningKind::kClass)) {
      ReachClass(*meaning.node, reader);
    } else if (meaning.Is(MeaningKind::kExternal)) {
      const Ruling ruling = scene_.rules.Of(Zone::kHot, meaning.name);
      const bool computes = ruling.unlisted() && ComputesInTorch(meaning.name) &&
                            !scene_.baseline();
      if ((ruling.forbidden() && !ruling.code.starts_with("E51")) || computes)
        External(meaning, node);
    }
  }
  if (node.Is(Kind::kName) && EnclosingFunction(node) == nullptr)
    ReadModuleName(node);
}

}  // namespace croq::source::purity
