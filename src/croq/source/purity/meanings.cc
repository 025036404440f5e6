#include <algorithm>
#include <array>

#include "croq/source/purity/scene.h"

/// What expressions stand for. Bounds keep the time short; beyond them the meaning is unknown, which
/// no rule allows.
namespace croq::source::purity {
namespace {

constexpr int kMaxSteps = 1000;
constexpr std::size_t kMaxMeanings = 64;

using Kind_ = Meaning::Kind;

/// `logging.os._exit` is os._exit: modules hold those that they import themselves. Only those that
/// reach beyond a kernel's needs are taken so, as others share their names with submodules.
std::string Below(const std::string& base, std::string_view member) {
  static constexpr std::array<std::string_view, 22> kReaching{
      "_thread", "asyncio", "atexit",   "builtins", "ctypes",     "gc",        "importlib",
      "inspect", "io",      "marshal",  "mmap",     "os",         "pickle",    "runpy",
      "shutil",  "socket",  "subprocess", "sys",    "threading",  "traceback", "types",
      "weakref"};
  const bool own = member == "types" && base.starts_with("torch");
  if (!own && std::ranges::find(kReaching, member) != kReaching.end())
    return std::string(member);
  return base + "." + std::string(member);
}

std::string ImportedName(const Node& alias) {
  const Node& statement = *alias.parent;
  if (statement.Is(croq::source::Kind::kImport)) {
    return std::string(alias.as_name.empty() ? alias.text.substr(0, alias.text.find('.'))
                                             : alias.text);
  }
  const std::string dots(statement.level, '.');
  if (statement.text.empty())
    return dots + std::string(alias.text);
  return Below(dots + std::string(statement.text), alias.text);
}

}  // namespace

void Scene::Put(Meaning meaning, std::vector<Meaning>& found) {
  const bool known = std::ranges::any_of(found, [&](const Meaning& other) {
    return other.kind == meaning.kind && other.node == meaning.node && other.name == meaning.name;
  });
  if (!known)
    found.push_back(std::move(meaning));
}

const std::vector<Meaning>& Scene::MeaningsOf(const Node& expression) const {
  const auto kept = kept_.find(&expression);
  if (indexed_ && kept != kept_.end())
    return kept->second;
  Question question;
  Meanings found;
  Evaluate(expression, question, found);
  if (found.empty())
    found.push_back({Kind_::kUnknown, {}, &expression});
  return kept_[&expression] = std::move(found);
}

Meaning Scene::MeaningOfImport(const Node& alias) const {
  Meaning meaning{Kind_::kExternal, ImportedName(alias), &alias};
  meaning.module = alias.parent->Is(Kind::kImport);
  return meaning;
}

void Scene::Evaluate(const Node& node, Question& question, Meanings& found) const {
  if (++question.steps > kMaxSteps || found.size() > kMaxMeanings || !Spend()) {
    Put({Kind_::kUnknown, {}, &node}, found);
    return;
  }
  switch (node.kind) {
    case Kind::kName:
      return OfName(node, question, found);
    case Kind::kAttribute:
      return OfAttribute(node, question, found);
    case Kind::kCall:
      return OfCall(node, question, found);
    case Kind::kSubscript:
      return OfSubscript(node, question, found);
    case Kind::kLambda:
      return Put({IsKernel(node) ? Kind_::kKernel : Kind_::kFunction, {}, &node}, found);
    case Kind::kNamedExpr:
    case Kind::kStarred:
      return Evaluate(*node.Child(Field::kValue), question, found);
    case Kind::kIfExp:
    case Kind::kBoolOp:
      for (const Node* child : node.children) {
        if (child->field != Field::kTest && !child->Is(Kind::kConstant))
          Evaluate(*child, question, found);
      }
      return;
    default:
      return Put({Kind_::kValue, {}, &node}, found);
  }
}

void Scene::OfName(const Node& node, Question& question, Meanings& found) const {
  const std::vector<const Binding*> bindings = names.BindingsOf(node);
  if (bindings.empty())
    return Put({Kind_::kExternal, "builtins." + std::string(node.text), &node}, found);
  if (bindings.size() > kMaxMeanings)
    return Put({Kind_::kUnknown, {}, &node}, found);
  for (const Binding* binding : bindings) {
    if (found.size() > kMaxMeanings)
      return Put({Kind_::kUnknown, {}, &node}, found);
    const auto [asked, first] = question.asked.try_emplace(binding);
    if (first) {
      Meanings inner;
      OfBinding(*binding, node, question, inner);
      question.asked[binding] = inner;  // the table may have grown meanwhile
      for (Meaning& meaning : inner) Put(std::move(meaning), found);
    } else {
      for (const Meaning& meaning : asked->second) Put(meaning, found);
    }
  }
}

void Scene::OfBinding(const Binding& binding, const Node& user, Question& question,
                      Meanings& found) const {
  const Node& node = *binding.node;
  switch (node.kind) {
    case Kind::kAlias: {
      Meaning meaning = MeaningOfImport(node);
      meaning.node = &user;
      return Put(std::move(meaning), found);
    }
    case Kind::kFunctionDef:
    case Kind::kAsyncFunctionDef:
      return Put({IsKernel(node) ? Kind_::kKernel : Kind_::kFunction, {}, &node}, found);
    case Kind::kClassDef:
      return Put({Kind_::kClass, {}, &node}, found);
    case Kind::kArg:
      return OfParameter(binding, question, found);
    default:
      break;
  }
  if (binding.value == nullptr)
    return OfTarget(binding, question, found);
  const std::size_t before = found.size();
  Evaluate(*binding.value, question, found);
  for (std::size_t index = before; index < found.size(); ++index) {
    if (found[index].Is(Kind_::kValue) || found[index].Is(Kind_::kMember))
      found[index].binding = &binding;
  }
}

/// A loop over a literal list binds each of its items.
void Scene::OfTarget(const Binding& binding, Question& question, Meanings& found) const {
  const Node& parent = *binding.node->parent;
  const bool loops = (parent.Is(Kind::kFor) || parent.Is(Kind::kComprehension)) &&
                     binding.node->field == Field::kTarget;
  Meanings sequences;
  if (loops)
    Evaluate(*parent.Child(Field::kIter), question, sequences);
  bool known = loops;
  for (const Meaning& sequence : sequences) {
    const bool literal = sequence.Is(Kind_::kValue) &&
                         (sequence.node->Is(Kind::kList) || sequence.node->Is(Kind::kTuple) ||
                          sequence.node->Is(Kind::kSet));
    known = known && literal;
    for (const Node* item : literal ? sequence.node->children : std::vector<const Node*>())
      Evaluate(*item, question, found);
  }
  if (!known)
    Put({Kind_::kUnknown, {}, binding.node, &binding}, found);
}

/// What the file's own calls pass, and the default. Only callables count: a plain value says nothing
/// that the parameter's name does not.
void Scene::OfParameter(const Binding& binding, Question& question, Meanings& found) const {
  const std::vector<const Node*>& arguments = ArgumentsFor(*binding.node);
  bool all_known = !arguments.empty();
  for (const Node* argument : arguments) {
    Meanings inner;
    Evaluate(*argument, question, inner);
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

void Scene::OfAttribute(const Node& node, Question& question, Meanings& found) const {
  Meanings bases;
  Evaluate(*node.Child(Field::kValue), question, bases);
  for (const Meaning& base : bases) {
    if (base.Is(Kind_::kExternal)) {
      Put({Kind_::kExternal, Below(base.name, node.text), &node}, found);
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
          OfBinding(*binding, node, question, found);
        }
      }
      if (!member)
        Put({Kind_::kMember, std::string(node.text), &node}, found);
    } else {
      OfMember(node, question, found);
    }
  }
}

/// `triton.jit(f)`, `autotune(...)(f)`, `heuristics(...)(f)`: the kernel; a function of the file:
/// what it returns; anything else is a value.
void Scene::OfCall(const Node& node, Question& question, Meanings& found) const {
  const Node& callee = *node.Child(Field::kFunc);
  Meanings callees;
  Evaluate(callee.Is(Kind::kCall) ? *callee.Child(Field::kFunc) : callee, question, callees);
  for (const Meaning& meaning : callees) {
    if (meaning.Is(Kind_::kExternal) &&
        (rules.IsJit(meaning.name) || meaning.name.starts_with("triton.autotune") ||
         meaning.name.starts_with("triton.heuristics") ||
         meaning.name.starts_with("functools.") || meaning.name == "torch.library.wrap_triton")) {
      for (const Node* argument : node.Children(Field::kArgs)) {
        Meanings inner;
        Evaluate(*argument, question, inner);
        for (Meaning& each : inner) {
          if (each.Is(Kind_::kKernel) || each.Is(Kind_::kFunction))
            Put(std::move(each), found);
        }
      }
    } else if (meaning.Is(Kind_::kFunction) && !callee.Is(Kind::kCall)) {
      OfReturns(*meaning.node, question, found);
    }
  }
  Put({Kind_::kValue, {}, &node}, found);
}

void Scene::OfReturns(const Node& function, Question& question, Meanings& found) const {
  const auto [asked, first] = question.asked.try_emplace(&function);
  if (!first) {
    for (const Meaning& meaning : asked->second) Put(meaning, found);
    return;
  }
  Meanings returned;
  const auto add = [&](const Node& value) {
    Meanings inner;
    Evaluate(value, question, inner);
    for (Meaning& each : inner) {
      if (each.Is(Kind_::kKernel) || each.Is(Kind_::kFunction) || each.Is(Kind_::kExternal) ||
          each.Is(Kind_::kClass))
        Put(std::move(each), returned);
    }
  };
  if (function.Is(Kind::kLambda)) {
    add(*function.Child(Field::kBody));
  } else {
    for (const Node* statement : function.Children(Field::kBody)) {
      Walk(*statement, [&](const Node& node) {
        if (node.Is(Kind::kReturn) && node.Child(Field::kValue) != nullptr)
          add(*node.Child(Field::kValue));
        return !IsFunctionNode(node) && !node.Is(Kind::kClassDef);
      });
    }
  }
  question.asked[&function] = returned;  // the table may have grown meanwhile
  for (Meaning& meaning : returned) Put(std::move(meaning), found);
}

/// An item of a literal table may be any of them.
void Scene::OfSubscript(const Node& node, Question& question, Meanings& found) const {
  Meanings bases;
  Evaluate(*node.Child(Field::kValue), question, bases);
  bool table = false;
  for (const Meaning& base : bases) {
    if (!base.Is(Kind_::kValue) || (!base.node->Is(Kind::kDict) && !base.node->Is(Kind::kList) &&
                                    !base.node->Is(Kind::kTuple)))
      continue;
    table = true;
    for (const Node* item : base.node->children) {
      if (item->field != Field::kKeys)
        Evaluate(*item, question, found);
    }
  }
  const bool callable = std::ranges::any_of(found, [](const Meaning& meaning) {
    return !meaning.Is(Kind_::kValue) && !meaning.Is(Kind_::kMember);
  });
  if (table && callable && !IsFixed(node))
    Put({Kind_::kUnknown, {}, &node}, found);
  if (!table)
    Put({Kind_::kValue, {}, &node}, found);
}

}  // namespace croq::source::purity
