#include <algorithm>
#include <unordered_set>

#include "croq/source/purity/hot.h"

/// Which keywords `**value` passes to a launch.
namespace croq::source::purity {
namespace {

using Keys = std::optional<std::vector<std::string>>;
/// Bindings and functions that were read: what leads back to one adds no key.
using Seen = std::unordered_set<const void*>;

Keys KeysWithin(const Scene& scene, const Node& value, Seen& seen);

bool Append(const Keys& more, std::vector<std::string>& keys) {
  if (!more)
    return false;
  for (const std::string& key : *more) {
    if (std::ranges::find(keys, key) == keys.end())
      keys.push_back(key);
  }
  return true;
}

Keys OfDict(const Scene& scene, const Node& dict, Seen& seen) {
  std::vector<std::string> keys;
  for (const Node* child : dict.children) {
    if (child->field == Field::kKeys) {
      if (!child->IsString())
        return std::nullopt;
      keys.emplace_back(child->text);
    } else if (child->field == Field::kOther && !Append(KeysWithin(scene, *child, seen), keys)) {
      return std::nullopt;  // {**other}
    }
  }
  return keys;
}

/// Of an item of a table of dicts, whichever it is.
Keys OfItems(const Scene& scene, const Node& table, Seen& seen) {
  std::vector<std::string> keys;
  for (const Meaning& meaning : scene.MeaningsOf(table)) {
    const Node* node = meaning.node;
    if (!meaning.Is(Meaning::Kind::kValue) ||
        (!node->Is(Kind::kDict) && !node->Is(Kind::kList) && !node->Is(Kind::kTuple)))
      return std::nullopt;
    for (const Node* item : node->children) {
      if (item->field != Field::kKeys && !Append(KeysWithin(scene, *item, seen), keys))
        return std::nullopt;
    }
  }
  return keys;
}

Keys OfReturns(const Scene& scene, const Node& function, Seen& seen) {
  std::vector<std::string> keys;
  if (!seen.insert(&function).second)
    return keys;
  if (function.Is(Kind::kLambda))
    return KeysWithin(scene, *function.Child(Field::kBody), seen);
  bool readable = true;
  bool returns = false;
  for (const Node* statement : function.Children(Field::kBody)) {
    Walk(*statement, [&](const Node& node) {
      if (node.Is(Kind::kReturn)) {
        returns = true;
        const Node* value = node.Child(Field::kValue);
        readable = readable && value != nullptr && Append(KeysWithin(scene, *value, seen), keys);
      }
      return !IsFunctionNode(node);
    });
  }
  return readable && returns ? Keys(keys) : std::nullopt;
}

Keys OfFields(const Scene& scene, const Node& of_class) {
  std::vector<std::string> keys;
  for (const Binding* binding : scene.names.BindingsIn(of_class)) keys.emplace_back(binding->name);
  return keys;
}

Keys OfCall(const Scene& scene, const Node& call, Seen& seen) {
  const Node& callee = *call.Child(Field::kFunc);
  std::vector<std::string> keys;
  if (callee.Is(Kind::kAttribute) && (callee.text == "get" || callee.text == "copy" ||
                                      callee.text == "_asdict")) {
    const Node& base = *callee.Child(Field::kValue);
    if (callee.text == "copy")
      return KeysWithin(scene, base, seen);
    if (callee.text == "get" && !Append(OfItems(scene, base, seen), keys))
      return std::nullopt;
    const auto arguments = call.Children(Field::kArgs);
    if (arguments.size() > 1 && !Append(KeysWithin(scene, *arguments[1], seen), keys))
      return std::nullopt;
    if (callee.text == "get")
      return keys;
  }
  const auto name = scene.names.Resolve(callee);
  if (name == "builtins.dict") {
    for (const Node* argument : call.Children(Field::kArgs)) {
      if (!Append(KeysWithin(scene, *argument, seen), keys))
        return std::nullopt;
    }
    for (const Node* keyword : call.Children(Field::kKeywords)) {
      if (!keyword->text.empty())
        keys.emplace_back(keyword->text);
      else if (!Append(KeysWithin(scene, *keyword->Child(Field::kValue), seen), keys))
        return std::nullopt;
    }
    return keys;
  }
  for (const Meaning& meaning : scene.MeaningsOf(callee)) {
    const Keys more = meaning.Is(Meaning::Kind::kFunction)
                          ? OfReturns(scene, *meaning.node, seen)
                          : std::nullopt;
    if (!Append(more, keys))
      return std::nullopt;
  }
  return keys;
}

/// `asdict(config)`, `config._asdict()`: the fields of the classes of the file that hold nothing
/// but fields.
Keys OfConfiguration(const Scene& scene, const Node& call) {
  const Node& callee = *call.Child(Field::kFunc);
  const bool method = callee.Is(Kind::kAttribute) && callee.text == "_asdict";
  const Node* of = method ? callee.Child(Field::kValue) : call.Child(Field::kArgs);
  if (of == nullptr || (!method && scene.names.Resolve(callee) != "dataclasses.asdict"))
    return std::nullopt;
  std::vector<std::string> keys;
  for (const Meaning& meaning : scene.MeaningsOf(*of)) {
    if (!meaning.Is(Meaning::Kind::kValue) || !meaning.node->Is(Kind::kCall))
      return std::nullopt;
    for (const Meaning& made : scene.MeaningsOf(*meaning.node->Child(Field::kFunc))) {
      if (!made.Is(Meaning::Kind::kClass) || !Append(OfFields(scene, *made.node), keys))
        return std::nullopt;
    }
  }
  return keys;
}

/// Of what a name holds: every dict that it is bound to, and the keys that are set one by one.
Keys OfName(const Scene& scene, const Node& name, Seen& seen) {
  std::vector<std::string> keys;
  for (const Binding* binding : scene.names.BindingsOf(name)) {
    if (!seen.insert(binding).second)
      continue;
    if (!scene.Spend())
      return std::nullopt;
    if (binding->node->Is(Kind::kArg)) {
      const auto& arguments = scene.ArgumentsFor(*binding->node);
      if (arguments.empty())
        return std::nullopt;
      for (const Node* argument : arguments) {
        if (!Append(KeysWithin(scene, *argument, seen), keys))
          return std::nullopt;
      }
      continue;
    }
    if (binding->value == nullptr || !Append(KeysWithin(scene, *binding->value, seen), keys))
      return std::nullopt;
  }
  bool readable = true;
  for (const Node* change : scene.ItemChangesOf(name.text)) {
    if (change->Is(Kind::kSubscript)) {
      const Node& key = *change->Child(Field::kSlice);
      readable = readable && key.IsString();
      keys.emplace_back(key.text);
      continue;
    }
    for (const Node* argument : change->Children(Field::kArgs))
      readable = readable && Append(KeysWithin(scene, *argument, seen), keys);
    for (const Node* keyword : change->Children(Field::kKeywords)) {
      readable = readable && !keyword->text.empty();
      keys.emplace_back(keyword->text);
    }
  }
  return readable ? Keys(keys) : std::nullopt;
}

Keys KeysWithin(const Scene& scene, const Node& value, Seen& seen) {
  std::vector<std::string> keys;
  switch (value.kind) {
    case Kind::kDict:
      return OfDict(scene, value, seen);
    case Kind::kName:
      return OfName(scene, value, seen);
    case Kind::kSubscript:
      return OfItems(scene, *value.Child(Field::kValue), seen);
    case Kind::kCall:
      if (const Keys fields = OfConfiguration(scene, value))
        return fields;
      return OfCall(scene, value, seen);
    case Kind::kBinOp:
    case Kind::kIfExp:
    case Kind::kBoolOp:
      for (const Node* child : value.children) {
        if (child->field != Field::kTest && !Append(KeysWithin(scene, *child, seen), keys))
          return std::nullopt;
      }
      return keys;
    case Kind::kConstant:  // `options or {}`
      return value.constant == ConstantType::kNone ? Keys(keys) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

Keys KeysOf(const Scene& scene, const Node& value) {
  Seen seen;
  return KeysWithin(scene, value, seen);
}

}  // namespace croq::source::purity
