#include "croq/source/purity/module_zone.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/source/purity/imports.h"

namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

constexpr std::size_t kLongestText = 2048;     // bytes of a string that is no docstring
constexpr std::size_t kLongestSequence = 512;  // items of one list, tuple, set or dict

}  // namespace

void ModuleZone::Judge() {
  chain_ = {{"module level", 1, 0}};
  for (const Node* statement : scene_.tree.root().children) Statement(*statement);
}

void ModuleZone::Statement(const Node& statement) {
  switch (statement.kind) {
    case Kind::kImport:
    case Kind::kImportFrom:
      return CheckImport(statement);
    case Kind::kFunctionDef:
    case Kind::kAsyncFunctionDef:
      return Definition(statement);
    case Kind::kClassDef:
      return Class(statement);
    case Kind::kIf: {
      Visit(*statement.Child(Field::kTest));
      const bool main = IsMainGuard(statement);
      for (const Node* child : statement.children) {
        if (child->field == Field::kBody && main)
          main_.push_back(child);
        else if (child->field != Field::kTest)
          Statement(*child);
      }
      return;
    }
    case Kind::kTry:
      for (const Node* child : statement.children) {
        if (!child->Is(Kind::kExceptHandler)) {
          Statement(*child);
          continue;
        }
        for (const Node* inner : child->children) Statement(*inner);
      }
      return;
    case Kind::kFor:
      Visit(*statement.Child(Field::kIter));
      for (const Node* child : statement.children) {
        if (child->field == Field::kBody || child->field == Field::kOrElse)
          Statement(*child);
      }
      return;
    case Kind::kWhile:
    case Kind::kWith:
    case Kind::kAsyncWith:
    case Kind::kAsyncFor:
    case Kind::kTryStar:
    case Kind::kDelete:
      Add("E703", statement, fmt::format("'{}' at module level runs at import",
                                         Shown(scene_.tree, statement)));
      return VisitChildren(statement);
    default:
      return VisitChildren(statement);
  }
}

void ModuleZone::CheckImport(const Node& statement) {
  for (const Import& import : ImportsOf(statement)) {
    if (import.star) {
      Add("E404", statement, fmt::format("all names of '{}' are taken in, whatever they are",
                                         import.name));
    } else if (!scene_.rules.IsKnownModule(import.name)) {
      Add("S104", statement, fmt::format("'{}' runs at import, and croq does not see it",
                                         import.name));
    }
  }
}

void ModuleZone::Definition(const Node& function) {
  const bool judged = scene_.IsKernel(function) || hot_.Reached(function);
  for (const Node* decorator : function.Children(Field::kDecorators)) {
    const Node& named = decorator->Is(Kind::kCall) ? *decorator->Child(Field::kFunc) : *decorator;
    for (const Meaning& meaning : scene_.MeaningsOf(named)) {
      if (meaning.Is(MeaningKind::kExternal) &&
          (!judged || scene_.rules.Of(Zone::kModule, meaning.name).code == "E201"))
        CallExternal(meaning, *decorator);
      if (meaning.Is(MeaningKind::kFunction))
        ReachFunction(*meaning.node);
    }
    if (decorator->Is(Kind::kCall))
      VisitChildren(*decorator);
  }
  for (const auto& [parameter, value] : DefaultsByParameter(function)) Visit(*value);
  if (!scene_.IsKernel(function)) {
    for (const Node* parameter : ParametersOf(function))
      CheckAnnotation(scene_, *parameter, chain_);
    CheckAnnotation(scene_, function, chain_);
  }
  if (function.text == "__getattr__" && EnclosingClass(function) == nullptr)
    Add("E308", function, "a module's __getattr__ runs where nothing is called");
}

void ModuleZone::Class(const Node& of_class) {
  for (const Node* child : of_class.children) {
    if (child->field == Field::kBody) {
      Statement(*child);
    } else if (child->field == Field::kDecorators) {
      const Node& named = child->Is(Kind::kCall) ? *child->Child(Field::kFunc) : *child;
      for (const Meaning& meaning : scene_.MeaningsOf(named)) {
        if (meaning.Is(MeaningKind::kExternal))
          CallExternal(meaning, *child);
        if (meaning.Is(MeaningKind::kFunction))
          ReachFunction(*meaning.node);
      }
    } else if (child->Is(Kind::kKeyword) && child->text == "metaclass") {
      for (const Meaning& meaning : scene_.MeaningsOf(*child->Child(Field::kValue))) {
        if (!meaning.Is(MeaningKind::kExternal) || !meaning.name.starts_with("abc."))
          Add("E308", *child, fmt::format("'{}' is made by a class of its own", of_class.text));
      }
    } else {
      Visit(*child);
    }
  }
}

void ModuleZone::VisitChildren(const Node& node) {
  for (const Node* child : node.children) Visit(*child);
}

void ModuleZone::Visit(const Node& node) {
  switch (node.kind) {
    case Kind::kLambda:  // its body runs where it is called
      for (const Node* value : DefaultsOf(node)) Visit(*value);
      return;
    case Kind::kFunctionDef:
    case Kind::kAsyncFunctionDef:
      return Definition(node);
    case Kind::kClassDef:
      return Class(node);
    case Kind::kCall:
      return CheckCall(node);
    case Kind::kName:
      return node.access == Access::kLoad ? Mention(node) : void();
    case Kind::kAttribute:
    case Kind::kSubscript:
      if (node.access != Access::kLoad)
        return Store(node);
      if (node.Is(Kind::kAttribute) && scene_.names.Resolve(node))
        return Mention(node);  // the whole chain counts
      if (IsDunder(node.text) && node.text != "__version__" && node.text != "__name__" &&
          node.Is(Kind::kAttribute) && node.text != "__doc__") {
        Add("E405", node, fmt::format("'{}' reaches into Python's own machinery at import",
                                      Shown(scene_.tree, node)));
      }
      return VisitChildren(node);
    case Kind::kBinOp:
    case Kind::kAugAssign:
      if (node.text == "MatMult")
        Add("E702", node, fmt::format("the matrix product '{}' is made at import",
                                      Shown(scene_.tree, node)));
      CheckLiteral(node);
      return VisitChildren(node);
    case Kind::kAnnAssign:
      if (const Node* value = node.Child(Field::kValue))
        Visit(*value);
      return Visit(*node.Child(Field::kTarget));
    default:
      CheckLiteral(node);
      return VisitChildren(node);
  }
}

void ModuleZone::Store(const Node& target) {
  CheckForeignWrite(scene_, target, Zone::kModule, chain_);
  VisitChildren(target);
}

/// Names of the lists that are findings wherever they stand, called or not.
void ModuleZone::Mention(const Node& node) {
  for (const Meaning& meaning : scene_.MeaningsOf(node)) {
    if (!meaning.Is(MeaningKind::kExternal))
      continue;
    const Ruling ruling = scene_.rules.Of(Zone::kModule, meaning.name);
    const bool heavy = ruling.code.starts_with("E4") || ruling.code.starts_with("E5") ||
                       ruling.code.starts_with("E2");
    const bool called = node.field == Field::kFunc;
    if (ruling.forbidden() && heavy && !(scene_.baseline() && ruling.baseline_only)) {
      Add(ruling.code, node,
          fmt::format("{} at import: {}", Who(scene_, node, meaning.name), ruling.text));
    } else if (ruling.verdict == Ruling::Verdict::kAllowed && ruling.code == "N106" && !called) {
      Add("N106", node, fmt::format("{} is read at import", Who(scene_, node, meaning.name)));
    }
  }
}

void ModuleZone::CheckCall(const Node& call) {
  const Node& callee = *call.Child(Field::kFunc);
  CheckConfig(scene_, call, chain_);
  bool known = false;
  for (const Meaning& meaning : scene_.MeaningsOf(callee)) {
    known = known || !meaning.Is(MeaningKind::kMember);
    if (meaning.Is(MeaningKind::kExternal)) {
      CallExternal(meaning, call);
    } else if (meaning.Is(MeaningKind::kFunction)) {
      ReachFunction(*meaning.node);
    } else if (meaning.Is(MeaningKind::kClass)) {
      for (const Binding* binding : scene_.names.BindingsIn(*meaning.node)) {
        if (binding->name == "__init__" || binding->name == "__post_init__" ||
            binding->name == "__new__" || binding->name == "__mro_entries__")
          ReachFunction(*binding->node);
      }
    }
  }
  const bool launches = callee.Is(Kind::kSubscript) &&
                        !scene_.KernelsOf(*callee.Child(Field::kValue)).empty();
  if (launches)
    Add("E702", call, "a kernel is launched at import");
  if (!known && callee.Is(Kind::kAttribute)) {
    const Ruling ruling = scene_.rules.Method(callee.text);
    const bool hook = callee.text == "add_pre_run_hook";
    if (hook || ruling.code == "E103" || ruling.code == "E502" || ruling.code == "E503") {
      const std::string_view code = hook ? "E206" : ruling.code == "E103" ? "E702" : ruling.code;
      Add(code, call, fmt::format("'{}' runs at import", Shown(scene_.tree, callee)));
    }
    if (ChangesContainer(callee.text))
      CheckForeignWrite(scene_, callee, Zone::kModule, chain_);
  }
  VisitChildren(call);
}

void ModuleZone::CallExternal(const Meaning& meaning, const Node& call) {
  const Ruling ruling = scene_.rules.Of(Zone::kModule, meaning.name);
  const Node& named = call.Is(Kind::kCall) ? *call.Child(Field::kFunc) : call;
  const std::string who = Who(scene_, named, meaning.name);
  if (scene_.baseline() && ruling.baseline_only)
    return;
  if (!ruling.unlisted()) {
    if (!ruling.code.empty())
      Add(ruling.code, call, fmt::format("{} runs at import: {}", who, ruling.text));
    return;
  }
  const std::string_view name = meaning.name;
  if (!scene_.rules.IsKnownModule(name)) {
    Add("E411", call, fmt::format("{} runs at import, and croq does not see its code", who));
  } else if (ComputesInTorch(name)) {
    Add("E702", call, fmt::format("{} runs at import", who));
  } else {
    Add("E701", call, fmt::format("{} runs at import", who));
  }
}

void ModuleZone::ReachFunction(const Node& function) {
  if (scene_.IsKernel(function) || !reached_.insert(&function).second || chain_.size() > 20)
    return;
  chain_.push_back(StepOf(function));
  for (const Node* child : function.Children(Field::kBody)) Visit(*child);
  chain_.pop_back();
}

void ModuleZone::CheckLiteral(const Node& node) {
  const bool docstring = node.parent != nullptr && node.parent->Is(Kind::kExpr);
  if (node.Is(Kind::kConstant) && !docstring && node.text.size() > kLongestText &&
      (node.IsString() || node.constant == ConstantType::kOther)) {
    Add("E704", node, fmt::format("a literal of {} bytes may hold an answer", node.text.size()));
  }
  const bool sequence = node.Is(Kind::kList) || node.Is(Kind::kTuple) || node.Is(Kind::kSet) ||
                        node.Is(Kind::kDict);
  if (sequence && node.children.size() > kLongestSequence) {
    Add("E704", node, fmt::format("a literal of {} items may hold an answer",
                                  node.children.size()));
  }
}

}  // namespace croq::source::purity
