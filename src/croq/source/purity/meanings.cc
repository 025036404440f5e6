#include <algorithm>

#include "croq/source/purity/scene.h"

/// What expressions stand for. A bound on depth keeps the time short; beyond it the meaning is
/// unknown, which no rule allows.
namespace croq::source::purity {
namespace {

constexpr int kMaxDepth = 24;
constexpr std::size_t kMaxMeanings = 64;

using Kind_ = Meaning::Kind;

void Put(Meaning meaning, std::vector<Meaning>& found) {
  const bool known = std::ranges::any_of(found, [&](const Meaning& other) {
    return other.kind == meaning.kind && other.node == meaning.node && other.name == meaning.name;
  });
  if (!known)
    found.push_back(std::move(meaning));
}

std::string ImportedName(const Node& alias) {
  const Node& statement = *alias.parent;
  if (statement.Is(croq::source::Kind::kImport)) {
    return std::string(alias.as_name.empty() ? alias.text.substr(0, alias.text.find('.'))
                                             : alias.text);
  }
  std::string name(statement.level, '.');
  name += statement.text;
  if (!statement.text.empty())
    name += '.';
  return name + std::string(alias.text);
}

}  // namespace

std::vector<Meaning> Scene::MeaningsOf(const Node& expression) const {
  Meanings found;
  Evaluate(expression, 0, found);
  if (found.empty())
    found.push_back({Kind_::kUnknown, {}, &expression});
  return found;
}

void Scene::Evaluate(const Node& node, int depth, Meanings& found) const {
  if (depth > kMaxDepth || found.size() > kMaxMeanings) {
    Put({Kind_::kUnknown, {}, &node}, found);
    return;
  }
  switch (node.kind) {
    case Kind::kName:
      return OfName(node, depth, found);
    case Kind::kAttribute:
      return OfAttribute(node, depth, found);
    case Kind::kCall:
      return OfCall(node, depth, found);
    case Kind::kSubscript:
      return OfSubscript(node, depth, found);
    case Kind::kLambda:
      return Put({IsKernel(node) ? Kind_::kKernel : Kind_::kFunction, {}, &node}, found);
    case Kind::kNamedExpr:
    case Kind::kStarred:
      return Evaluate(*node.Child(Field::kValue), depth + 1, found);
    case Kind::kIfExp:
    case Kind::kBoolOp:
      for (const Node* child : node.children) {
        if (child->field != Field::kTest && !child->Is(Kind::kConstant))
          Evaluate(*child, depth + 1, found);
      }
      return;
    default:
      return Put({Kind_::kValue, {}, &node}, found);
  }
}

void Scene::OfName(const Node& node, int depth, Meanings& found) const {
  const std::vector<const Binding*> bindings = names.BindingsOf(node);
  if (bindings.empty())
    return Put({Kind_::kExternal, "builtins." + std::string(node.text), &node}, found);
  for (const Binding* binding : bindings) OfBinding(*binding, node, depth, found);
}

void Scene::OfBinding(const Binding& binding, const Node& user, int depth,
                      Meanings& found) const {
  const Node& node = *binding.node;
  switch (node.kind) {
    case Kind::kAlias: {
      Meaning meaning{Kind_::kExternal, ImportedName(node), &user};
      meaning.module = node.parent->Is(Kind::kImport);
      return Put(std::move(meaning), found);
    }
    case Kind::kFunctionDef:
    case Kind::kAsyncFunctionDef:
      return Put({IsKernel(node) ? Kind_::kKernel : Kind_::kFunction, {}, &node}, found);
    case Kind::kClassDef:
      return Put({Kind_::kClass, {}, &node}, found);
    case Kind::kArg:
      return OfParameter(binding, depth, found);
    default:
      break;
  }
  if (binding.value == nullptr)
    return Put({Kind_::kUnknown, {}, &node, &binding}, found);
  const std::size_t before = found.size();
  Evaluate(*binding.value, depth + 1, found);
  for (std::size_t index = before; index < found.size(); ++index) {
    if (found[index].Is(Kind_::kValue) || found[index].Is(Kind_::kMember))
      found[index].binding = &binding;
  }
}

/// What the file's own calls pass, and the default. Only callables count: a plain value says nothing
/// that the parameter's name does not.
void Scene::OfParameter(const Binding& binding, int depth, Meanings& found) const {
  const std::vector<const Node*>& arguments = ArgumentsFor(*binding.node);
  bool all_known = !arguments.empty();
  for (const Node* argument : arguments) {
    Meanings inner;
    Evaluate(*argument, depth + 1, inner);
    for (Meaning& each : inner) {
      if (each.Is(Kind_::kValue) || each.Is(Kind_::kMember) || each.Is(Kind_::kUnknown)) {
        all_known = false;
      } else {
        Put(std::move(each), found);
      }
    }
  }
  if (!all_known)
    Put({Kind_::kUnknown, {}, binding.node, &binding}, found);
}

void Scene::OfAttribute(const Node& node, int depth, Meanings& found) const {
  Meanings bases;
  Evaluate(*node.Child(Field::kValue), depth + 1, bases);
  for (const Meaning& base : bases) {
    if (base.Is(Kind_::kExternal)) {
      Put({Kind_::kExternal, base.name + "." + std::string(node.text), &node}, found);
    } else if (base.Is(Kind_::kKernel) && (node.text == "fn" || node.text == "run")) {
      Put({Kind_::kKernel, {}, base.node}, found);
    } else if (base.Is(Kind_::kClass)) {
      // autograd.Function.apply runs the class's own forward.
      const bool applied = node.text == "apply";
      bool member = false;
      for (const Binding* binding : names.BindingsIn(*base.node)) {
        if (binding->name == node.text ||
            (applied && (binding->name == "forward" || binding->name == "setup_context"))) {
          member = true;
          OfBinding(*binding, node, depth, found);
        }
      }
      if (!member)
        Put({Kind_::kMember, std::string(node.text), &node}, found);
    } else {
      Put({Kind_::kMember, std::string(node.text), &node}, found);
    }
  }
}

/// `triton.jit(f)`, `autotune(...)(f)`, `heuristics(...)(f)`: the kernel; a function of the file:
/// what it returns; anything else is a value.
void Scene::OfCall(const Node& node, int depth, Meanings& found) const {
  const Node& callee = *node.Child(Field::kFunc);
  Meanings callees;
  Evaluate(callee.Is(Kind::kCall) ? *callee.Child(Field::kFunc) : callee, depth + 1, callees);
  for (const Meaning& meaning : callees) {
    if (meaning.Is(Kind_::kExternal) &&
        (rules.IsJit(meaning.name) || meaning.name.starts_with("triton.autotune") ||
         meaning.name.starts_with("triton.heuristics") || meaning.name.starts_with("functools."))) {
      for (const Node* argument : node.Children(Field::kArgs)) {
        Meanings inner;
        Evaluate(*argument, depth + 1, inner);
        for (Meaning& each : inner) {
          if (each.Is(Kind_::kKernel) || each.Is(Kind_::kFunction))
            Put(std::move(each), found);
        }
      }
    } else if (meaning.Is(Kind_::kFunction) && !callee.Is(Kind::kCall)) {
      OfReturns(*meaning.node, depth, found);
    }
  }
  Put({Kind_::kValue, {}, &node}, found);
}

void Scene::OfReturns(const Node& function, int depth, Meanings& found) const {
  if (depth > 8)
    return;
  const auto add = [&](const Node& value) {
    Meanings inner;
    Evaluate(value, depth + 4, inner);
    for (Meaning& each : inner) {
      if (each.Is(Kind_::kKernel) || each.Is(Kind_::kFunction) || each.Is(Kind_::kExternal) ||
          each.Is(Kind_::kClass))
        Put(std::move(each), found);
    }
  };
  if (function.Is(Kind::kLambda))
    return add(*function.Child(Field::kBody));
  for (const Node* statement : function.Children(Field::kBody)) {
    Walk(*statement, [&](const Node& node) {
      if (node.Is(Kind::kReturn) && node.Child(Field::kValue) != nullptr)
        add(*node.Child(Field::kValue));
      return !IsFunctionNode(node) && !node.Is(Kind::kClassDef);
    });
  }
}

/// An item of a literal table may be any of them.
void Scene::OfSubscript(const Node& node, int depth, Meanings& found) const {
  Meanings bases;
  Evaluate(*node.Child(Field::kValue), depth + 1, bases);
  bool table = false;
  for (const Meaning& base : bases) {
    if (!base.Is(Kind_::kValue) || (!base.node->Is(Kind::kDict) && !base.node->Is(Kind::kList) &&
                                    !base.node->Is(Kind::kTuple)))
      continue;
    table = true;
    for (const Node* item : base.node->children) {
      if (item->field != Field::kKeys)
        Evaluate(*item, depth + 1, found);
    }
  }
  if (!table)
    Put({Kind_::kValue, {}, &node}, found);
}

}  // namespace croq::source::purity
