#include <algorithm>
#include <initializer_list>

#include "croq/source/purity/tensors.h"

/// Tensors in containers: what a list, a call or an object holds, and what unpacking and loops take
/// out of it.
namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool IsDisplay(const Node& node) {
  return node.Is(Kind::kTuple) || node.Is(Kind::kList) || node.Is(Kind::kSet);
}

/// The values that a function gives back.
std::vector<const Node*> ReturnsOf(const Node& function) {
  std::vector<const Node*> found;
  if (function.Is(Kind::kLambda))
    return {function.Child(Field::kBody)};
  for (const Node* statement : function.Children(Field::kBody)) {
    Walk(*statement, [&](const Node& node) {
      if (node.Is(Kind::kReturn) && node.Child(Field::kValue) != nullptr)
        found.push_back(node.Child(Field::kValue));
      return !IsFunctionNode(node);
    });
  }
  return found;
}

/// A loop's or statement's whole target, and the way down from it to a name.
struct Way {
  const Node* target;
  std::vector<std::size_t> indices;  ///< outermost first
};

Way WayTo(const Node& name) {
  Way way{&name, {}};
  while (IsDisplay(*way.target->parent)) {
    const auto& items = way.target->parent->children;
    const auto at = std::ranges::find(items, way.target) - items.begin();
    way.indices.insert(way.indices.begin(), static_cast<std::size_t>(at));
    way.target = way.target->parent;
  }
  return way;
}

}  // namespace

std::vector<const Node*> Tensors::FunctionsOf(const Node& call) const {
  std::vector<const Node*> functions;
  for (const Meaning& meaning : scene_.MeaningsOf(*call.Child(Field::kFunc))) {
    if (meaning.Is(MeaningKind::kFunction))
      functions.push_back(meaning.node);
  }
  return functions;
}

bool Tensors::AnyArgument(const Node& call, bool (Tensors::*is)(const Node&) const) const {
  return std::ranges::any_of(call.children, [&](const Node* child) {
    if (child->field == Field::kFunc)
      return false;
    return (this->*is)(child->Is(Kind::kKeyword) ? *child->Child(Field::kValue) : *child);
  });
}

/// Whether something is a container with a tensor in it.
bool Tensors::Holds(const Node& node) const {
  const auto any = [&](auto&& is) { return std::ranges::any_of(node.children, is); };
  switch (node.kind) {
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
      return any([&](const Node* child) {
        return child->field != Field::kKeys && (Evaluate(*child) || Holds(*child));
      });
    case Kind::kListComp:
    case Kind::kSetComp:
    case Kind::kGeneratorExp:
      return Evaluate(*node.Child(Field::kElt));
    case Kind::kIfExp:
    case Kind::kBoolOp:
    case Kind::kBinOp:
    case Kind::kNamedExpr:
    case Kind::kStarred:
      return any([&](const Node* child) { return child->field != Field::kTest && Holds(*child); });
    case Kind::kAttribute:
      return node.text == "saved_tensors";
    case Kind::kName:
      return std::ranges::any_of(scene_.names.BindingsOf(node), [&](const Binding* binding) {
        return HeldBy(*binding);
      });
    case Kind::kCall:
      return HeldByCall(node);
    default:
      return false;
  }
}

bool Tensors::HeldBy(const Binding& binding) const {
  return Ask(&binding.value, [&] {
    if (binding.node->Is(Kind::kArg)) {
      const bool many = binding.node->field == Field::kVarArg ||
                        binding.node->field == Field::kKwArg;
      return std::ranges::any_of(scene_.ArgumentsFor(*binding.node), [&](const Node* argument) {
        return many ? Evaluate(*argument) : Holds(*argument);
      });
    }
    return binding.value != nullptr && Holds(*binding.value);
  });
}

bool Tensors::HeldByCall(const Node& call) const {
  const Node& callee = *call.Child(Field::kFunc);
  const bool splits = IsOneOf(callee.text, {"chunk", "split", "unbind", "tensor_split"});
  if (callee.Is(Kind::kAttribute) && splits && Evaluate(*callee.Child(Field::kValue)))
    return true;
  const std::string name = scene_.names.Resolve(callee).value_or("");
  if (IsOneOf(name, {"torch.chunk", "torch.split", "torch.unbind", "torch.broadcast_tensors"}))
    return true;
  if (IsOneOf(name, {"builtins.list", "builtins.tuple", "builtins.reversed", "builtins.iter",
                     "builtins.set"}))
    return AnyArgument(call, &Tensors::Holds);
  return std::ranges::any_of(FunctionsOf(call), [&](const Node* function) {
    return Ask(&function->children, [&] {
      return std::ranges::any_of(ReturnsOf(*function),
                                 [&](const Node* value) { return Holds(*value); });
    });
  });
}

/// What a function of the file gives back is a tensor.
bool Tensors::GivenBy(const Node& call) const {
  return std::ranges::any_of(FunctionsOf(call), [&](const Node* function) {
    return Ask(&function->text, [&] {
      return std::ranges::any_of(ReturnsOf(*function),
                                 [&](const Node* value) { return Evaluate(*value); });
    });
  });
}

/// `table["x"]`, `items[0]`: that item where the file shows the container, else any.
bool Tensors::OfItem(const Node& subscript) const {
  const Node& base = *subscript.Child(Field::kValue);
  const Node& key = *subscript.Child(Field::kSlice);
  if (base.Is(Kind::kName) && key.IsString() && IsLaunchTable(base) && IsPointerName(key.text))
    return true;
  if (base.Is(Kind::kName) && IsFilled(base, key))
    return true;
  for (const Meaning& meaning : scene_.MeaningsOf(base)) {
    if (!meaning.Is(MeaningKind::kValue) || meaning.node->Is(Kind::kName))
      continue;
    const Node& table = *meaning.node;
    for (const Node* keyword : table.Children(Field::kKeywords)) {  // dict(x=x)
      if (key.IsString() && keyword->text == key.text && Evaluate(*keyword->Child(Field::kValue)))
        return true;
    }
    const auto keys = table.Children(Field::kKeys);
    const auto values = table.Children(Field::kValues);
    const auto named = std::ranges::find_if(keys, [&](const Node* each) {
      return each->IsString() && key.IsString() && each->text == key.text;
    });
    if (named != keys.end() && keys.size() == values.size())
      return Evaluate(*values[static_cast<std::size_t>(named - keys.begin())]);
    const bool numbered = IsDisplay(table) && key.constant == ConstantType::kInt &&
                          key.Is(Kind::kConstant) && key.integer >= 0;
    if (numbered && static_cast<std::size_t>(key.integer) < table.children.size())
      return Evaluate(*table.children[static_cast<std::size_t>(key.integer)]);
  }
  return Holds(base);
}

/// table["x"] = x, items.append(x)
bool Tensors::IsFilled(const Node& name, const Node& key) const {
  constexpr std::size_t kMostPlaces = 256;  // beyond them it may be a tensor
  if (scene_.ItemChangesOf(name.text).size() + scene_.AddedTo(name.text).size() > kMostPlaces)
    return true;
  return std::ranges::any_of(scene_.ItemChangesOf(name.text), [&](const Node* change) {
    if (!change->Is(Kind::kSubscript) || !change->parent->Is(Kind::kAssign))
      return false;
    const Node& other = *change->Child(Field::kSlice);
    const bool another = key.IsString() && other.IsString() && key.text != other.text;
    return !another && Evaluate(*change->parent->Child(Field::kValue));
  }) || std::ranges::any_of(scene_.AddedTo(name.text), [&](const Node* added) {
    return Evaluate(*added);
  });
}

/// The parameter of a grid, a heuristic or a hook: Triton gives it a launch's arguments by name.
bool Tensors::IsLaunchTable(const Node& name) const {
  return std::ranges::any_of(scene_.names.BindingsOf(name), [](const Binding* binding) {
    return binding->node->Is(Kind::kArg);
  });
}

bool Tensors::IsPointerName(std::string_view name) const {
  return std::ranges::any_of(scene_.kernels(), [&](const Node* kernel) {
    return PointersOf(*kernel).contains(name);
  });
}

/// What a loop, or an unpacking that no display says item by item, binds.
bool Tensors::OfTarget(const Binding& binding) const {
  const Way way = WayTo(*binding.node);
  const Node& parent = *way.target->parent;
  const bool loops = (parent.Is(Kind::kFor) || parent.Is(Kind::kComprehension)) &&
                     way.target->field == Field::kTarget;
  if (!loops && !parent.Is(Kind::kAssign))
    return false;
  const Node& source = *parent.Child(loops ? Field::kIter : Field::kValue);
  return Ask(&binding, [&] {
    if (loops)
      return OfIteration(source, way.indices);
    return way.indices.size() == 1 && OfUnpacked(source, way.indices.front());
  });
}

bool Tensors::OfIteration(const Node& source, const std::vector<std::size_t>& indices) const {
  const auto gives = [&](const Node& sequence) { return Evaluate(sequence) || Holds(sequence); };
  const Node* callee = source.Is(Kind::kCall) ? source.Child(Field::kFunc) : nullptr;
  const std::string name = callee != nullptr ? scene_.names.Resolve(*callee).value_or("") : "";
  const auto arguments = source.Is(Kind::kCall) ? source.Children(Field::kArgs)
                                                : std::vector<const Node*>();
  if (indices.empty())
    return name != "builtins.enumerate" && gives(source);
  const std::size_t index = indices.front();
  if (name == "builtins.zip")
    return index < arguments.size() && gives(*arguments[index]);
  if (name == "builtins.enumerate")
    return index == 1 && !arguments.empty() && gives(*arguments[0]);
  if (callee != nullptr && callee->Is(Kind::kAttribute) && callee->text == "items")
    return index == 1 && Holds(*callee->Child(Field::kValue));
  for (const Meaning& meaning : scene_.MeaningsOf(source)) {
    if (!meaning.Is(MeaningKind::kValue) || !IsDisplay(*meaning.node))
      continue;
    for (const Node* item : meaning.node->children) {
      if (IsDisplay(*item) && index < item->children.size() && Evaluate(*item->children[index]))
        return true;
    }
  }
  return false;
}

/// Of `a, b = source`, the one at `index`; `depth` bounds how far names and functions are followed.
bool Tensors::OfUnpacked(const Node& source, std::size_t index, int depth) const {
  if (depth > 8 || !scene_.Spend())
    return false;
  const auto any = [&](const std::vector<const Node*>& sources) {
    return std::ranges::any_of(sources, [&](const Node* each) {
      return OfUnpacked(*each, index, depth + 1);
    });
  };
  if (IsDisplay(source))
    return index < source.children.size() && Evaluate(*source.children[index]);
  if (source.Is(Kind::kIfExp))
    return any({source.Child(Field::kBody), source.Child(Field::kOrElse)});
  if (source.Is(Kind::kName)) {
    return std::ranges::any_of(scene_.names.BindingsOf(source), [&](const Binding* binding) {
      return binding->node->Is(Kind::kArg) ? any(scene_.ArgumentsFor(*binding->node))
                                           : binding->value != nullptr && any({binding->value});
    });
  }
  const std::vector<const Node*> functions =
      source.Is(Kind::kCall) ? FunctionsOf(source) : std::vector<const Node*>();
  if (functions.empty())
    return Holds(source);
  return std::ranges::any_of(functions,
                             [&](const Node* function) { return any(ReturnsOf(*function)); });
}

}  // namespace croq::source::purity
