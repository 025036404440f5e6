#include <algorithm>

#include "croq/source/purity/hot.h"

/// Which keywords `**value` passes to a launch.
namespace croq::source::purity {
namespace {

using Keys = std::optional<std::vector<std::string>>;

constexpr int kMaxDepth = 10;

bool Append(const Keys& more, std::vector<std::string>& keys) {
  if (!more)
    return false;
  for (const std::string& key : *more) {
    if (std::ranges::find(keys, key) == keys.end())
      keys.push_back(key);
  }
  return true;
}

Keys OfDict(const Scene& scene, const Node& dict, int depth) {
  std::vector<std::string> keys;
  for (const Node* child : dict.children) {
    if (child->field == Field::kKeys) {
      if (!child->IsString())
        return std::nullopt;
      keys.emplace_back(child->text);
    } else if (child->field == Field::kOther && !Append(KeysOf(scene, *child, depth + 1), keys)) {
      return std::nullopt;  // {**other}
    }
  }
  return keys;
}

/// Of an item of a table of dicts, whichever it is.
Keys OfItems(const Scene& scene, const Node& table, int depth) {
  if (depth > kMaxDepth)
    return std::nullopt;
  std::vector<std::string> keys;
  for (const Meaning& meaning : scene.MeaningsOf(table)) {
    const Node* node = meaning.node;
    if (!meaning.Is(Meaning::Kind::kValue) ||
        (!node->Is(Kind::kDict) && !node->Is(Kind::kList) && !node->Is(Kind::kTuple)))
      return std::nullopt;
    for (const Node* item : node->children) {
      if (item->field != Field::kKeys && !Append(KeysOf(scene, *item, depth + 1), keys))
        return std::nullopt;
    }
  }
  return keys;
}

Keys OfReturns(const Scene& scene, const Node& function, int depth) {
  std::vector<std::string> keys;
  if (function.Is(Kind::kLambda))
    return KeysOf(scene, *function.Child(Field::kBody), depth + 1);
  bool readable = true;
  bool returns = false;
  for (const Node* statement : function.Children(Field::kBody)) {
    Walk(*statement, [&](const Node& node) {
      if (node.Is(Kind::kReturn)) {
        returns = true;
        const Node* value = node.Child(Field::kValue);
        readable = readable && value != nullptr && Append(KeysOf(scene, *value, depth + 1), keys);
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

Keys OfCall(const Scene& scene, const Node& call, int depth) {
  const Node& callee = *call.Child(Field::kFunc);
  std::vector<std::string> keys;
  if (callee.Is(Kind::kAttribute) && (callee.text == "get" || callee.text == "copy" ||
                                      callee.text == "_asdict")) {
    const Node& base = *callee.Child(Field::kValue);
    if (callee.text == "copy")
      return KeysOf(scene, base, depth + 1);
    if (callee.text == "get" && !Append(OfItems(scene, base, depth + 1), keys))
      return std::nullopt;
    const auto arguments = call.Children(Field::kArgs);
    if (arguments.size() > 1 && !Append(KeysOf(scene, *arguments[1], depth + 1), keys))
      return std::nullopt;
    if (callee.text == "get")
      return keys;
  }
  const auto name = scene.names.Resolve(callee);
  if (name == "builtins.dict") {
    for (const Node* argument : call.Children(Field::kArgs)) {
      if (!Append(KeysOf(scene, *argument, depth + 1), keys))
        return std::nullopt;
    }
    for (const Node* keyword : call.Children(Field::kKeywords)) {
      if (!keyword->text.empty())
        keys.emplace_back(keyword->text);
      else if (!Append(KeysOf(scene, *keyword->Child(Field::kValue), depth + 1), keys))
        return std::nullopt;
    }
    return keys;
  }
  for (const Meaning& meaning : scene.MeaningsOf(callee)) {
    const Keys more = meaning.Is(Meaning::Kind::kFunction)
                          ? OfReturns(scene, *meaning.node, depth + 1)
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
Keys OfName(const Scene& scene, const Node& name, int depth) {
  std::vector<std::string> keys;
  for (const Binding* binding : scene.names.BindingsOf(name)) {
    if (binding->node->Is(Kind::kArg)) {
      const auto& arguments = scene.ArgumentsFor(*binding->node);
      if (arguments.empty())
        return std::nullopt;
      for (const Node* argument : arguments) {
        if (!Append(KeysOf(scene, *argument, depth + 1), keys))
          return std::nullopt;
      }
      continue;
    }
    if (binding->value == nullptr || !Append(KeysOf(scene, *binding->value, depth + 1), keys))
      return std::nullopt;
  }
  bool readable = true;
  Walk(scene.tree.root(), [&](const Node& node) {
    const Node* base = node.Is(Kind::kSubscript) && node.access == Access::kStore
                           ? node.Child(Field::kValue)
                           : nullptr;
    if (base != nullptr && base->Is(Kind::kName) && base->text == name.text) {
      const Node& key = *node.Child(Field::kSlice);
      readable = readable && key.IsString();
      keys.emplace_back(key.text);
    }
    const Node* callee = node.Is(Kind::kCall) ? node.Child(Field::kFunc) : nullptr;
    if (callee != nullptr && callee->Is(Kind::kAttribute) &&
        callee->Child(Field::kValue)->Is(Kind::kName) &&
        callee->Child(Field::kValue)->text == name.text &&
        (callee->text == "update" || callee->text == "setdefault")) {
      for (const Node* argument : node.Children(Field::kArgs))
        readable = readable && Append(KeysOf(scene, *argument, depth + 1), keys);
      for (const Node* keyword : node.Children(Field::kKeywords)) {
        readable = readable && !keyword->text.empty();
        keys.emplace_back(keyword->text);
      }
    }
    return readable;
  });
  return readable ? Keys(keys) : std::nullopt;
}

}  // namespace

Keys KeysOf(const Scene& scene, const Node& value, int depth) {
  if (depth > kMaxDepth)
    return std::nullopt;
  std::vector<std::string> keys;
  switch (value.kind) {
    case Kind::kDict:
      return OfDict(scene, value, depth);
    case Kind::kName:
      return OfName(scene, value, depth);
    case Kind::kSubscript:
      return OfItems(scene, *value.Child(Field::kValue), depth + 1);
    case Kind::kCall:
      if (const Keys fields = OfConfiguration(scene, value))
        return fields;
      return OfCall(scene, value, depth);
    case Kind::kBinOp:
    case Kind::kIfExp:
    case Kind::kBoolOp:
      for (const Node* child : value.children) {
        if (child->field != Field::kTest && !Append(KeysOf(scene, *child, depth + 1), keys))
          return std::nullopt;
      }
      return keys;
    case Kind::kConstant:  // `options or {}`
      return value.constant == ConstantType::kNone ? Keys(keys) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace croq::source::purity
