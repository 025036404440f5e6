#include "croq/source/purity/hot.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/source/purity/imports.h"

namespace croq::source::purity {

namespace {

/// What another file defines, under its one name.
bool IsUnseen(const Scene& scene, const Node& value) {
  const auto& meanings = scene.MeaningsOf(value);
  return meanings.size() == 1 && meanings.front().Is(Meaning::Kind::kExternal) &&
         !scene.rules.IsKnownModule(meanings.front().name);
}

}  // namespace

void Hot::Enter(const Node& function, const Chain& why) {
  if (!reached_.insert(&function).second)
    return;
  Chain chain = why;
  chain.push_back(StepOf(function));
  chains_.emplace(&function, std::move(chain));
  queue_.push_back(&function);
}

void Hot::EnterHook(const Node& function, const Chain& why) {
  hooks_.insert(&function);
  Enter(function, why);
}

void Hot::EnterValue(const Node& value) {
  function_ = &value;
  chain_ = {{"entry", value.span.line, value.span.column}};
  if (value.Is(Kind::kAlias))
    return ReferTo(scene_.MeaningOfImport(value), value, true);
  ReadStored(value, value);
  if (!value.Is(Kind::kCall))
    Visit(value);
}

void Hot::EnterClass(const Node& of_class) {
  function_ = &of_class;
  chain_ = {{std::string(of_class.text), of_class.span.line, of_class.span.column}};
  ReachClass(of_class, of_class);
}

void Hot::Reach(const Node& function) {
  // A function inside the one being judged is judged where it stands.
  for (const Node* outer = &function; outer != nullptr; outer = EnclosingFunction(*outer)) {
    if (outer == function_ && &function != function_)
      return;
  }
  edges_[function_].push_back(&function);
  Enter(function, chain_);
}

void Hot::Run() {
  while (!queue_.empty()) {
    function_ = queue_.front();
    queue_.pop_front();
    chain_ = chains_.at(function_);
    VisitFunction(*function_);
  }
}

const std::vector<const Node*>& Hot::LaunchedBy(const Node& function) {
  return launches_[&function];
}

const std::vector<const Node*>& Hot::ReachedFrom(const Node& function) {
  return edges_[&function];
}

void Hot::VisitFunction(const Node& function) {
  if (function.Is(Kind::kLambda))
    return Visit(*function.Child(Field::kBody));
  if (function.Is(Kind::kAsyncFunctionDef))
    Add("E309", function, fmt::format("'{}' is a coroutine", function.text));
  VisitDecorators(function, false);
  for (const auto& [parameter, value] : DefaultsByParameter(function)) {
    if (IsUnseen(scene_, *value)) {
      ReadStored(*value, *value);
      External(scene_.MeaningsOf(*value).front(), *value);
    } else if (!IsPlainConstant(scene_, *value)) {
      Add("E303", *value,
          fmt::format("the default of '{}' is made once and kept between calls", parameter->text));
    }
    if (!value->Is(Kind::kConstant))
      ReadStored(*value, *value);
  }
  for (const Node* statement : function.Children(Field::kBody)) Visit(*statement);
}

void Hot::VisitChildren(const Node& node) {
  for (const Node* child : node.children) Visit(*child);
}

void Hot::Visit(const Node& node) {
  switch (node.kind) {
    case Kind::kName:
      if (node.access == Access::kLoad)
        Reference(node, false);
      return;
    case Kind::kAttribute:
    case Kind::kSubscript:
      if (node.access != Access::kLoad) {
        Write(node);
      } else if (node.Is(Kind::kAttribute)) {
        Reference(node, false);
      } else {
        VisitChildren(node);
      }
      return;
    case Kind::kCall:
      return Call(node);
    case Kind::kAugAssign:
      if (const Node* target = node.Child(Field::kTarget); target->Is(Kind::kName))
        WriteName(*target);
      CheckOperator(node);
      return VisitChildren(node);
    case Kind::kBinOp:
    case Kind::kUnaryOp:
    case Kind::kCompare:
      CheckOperator(node);
      return VisitChildren(node);
    case Kind::kBoolOp:
      for (const Node* value : node.children) CheckTruth(*value);
      return VisitChildren(node);
    case Kind::kIf:
    case Kind::kWhile:
    case Kind::kIfExp:
    case Kind::kAssert:
      CheckTruth(*node.Child(Field::kTest));
      return VisitChildren(node);
    default:
      return VisitStatement(node);
  }
}

void Hot::VisitStatement(const Node& node) {
  switch (node.kind) {
    case Kind::kFunctionDef:
    case Kind::kAsyncFunctionDef:
    case Kind::kLambda:
      return VisitNested(node);
    case Kind::kClassDef:
      return Add("E308", node, fmt::format("the class '{}' is made in the hot path", node.text));
    case Kind::kGlobal:
    case Kind::kNonlocal:
      return Add("E301", node,
                 fmt::format("'{}' of an outer scope is written in the hot path", node.text));
    case Kind::kTry:
    case Kind::kTryStar:
      Add("E116", node, "a try statement in the hot path may hide a fallback");
      return VisitChildren(node);
    case Kind::kAwait:
    case Kind::kYield:
    case Kind::kYieldFrom:
    case Kind::kAsyncFor:
    case Kind::kAsyncWith:
      Add("E309", node, "the hot path gives up control in the middle and keeps its variables");
      return VisitChildren(node);
    case Kind::kImport:
    case Kind::kImportFrom:
      return CheckImport(node);
    case Kind::kAnnAssign:  // a local variable's annotation does not run
      if (const Node* value = node.Child(Field::kValue))
        Visit(*value);
      return Visit(*node.Child(Field::kTarget));
    default:
      return VisitChildren(node);
  }
}

void Hot::VisitNested(const Node& function) {
  if (scene_.IsKernel(function))
    return;  // judged as a kernel
  if (function.Is(Kind::kAsyncFunctionDef))
    Add("E309", function, fmt::format("'{}' is a coroutine", function.text));
  if (!function.Is(Kind::kLambda)) {
    VisitDecorators(function, true);
    for (const Node* parameter : ParametersOf(function)) CheckAnnotation(scene_, *parameter, chain_);
  }
  for (const Node* value : DefaultsOf(function)) Visit(*value);
  for (const Node* child : function.Children(Field::kBody)) Visit(*child);
}

void Hot::VisitDecorators(const Node& function, bool nested) {
  for (const Node* decorator : function.Children(Field::kDecorators)) {
    const Node& named = decorator->Is(Kind::kCall) ? *decorator->Child(Field::kFunc) : *decorator;
    for (const Meaning& meaning : scene_.MeaningsOf(named)) {
      if (meaning.Is(Meaning::Kind::kFunction)) {
        Reach(*meaning.node);
        continue;
      }
      const Ruling ruling =
          meaning.Is(Meaning::Kind::kExternal) ? scene_.rules.Of(Zone::kHot, meaning.name) : Ruling{};
      const bool cache = ruling.code == "E302";
      if (cache && !nested) {
        VisitCached(function, *decorator);
      } else if (ruling.forbidden()) {
        Add(ruling.code, *decorator,
            fmt::format("{} around the launcher: {}", Who(scene_, named, meaning.name),
                        ruling.text));
      } else if (ruling.unlisted()) {
        const bool foreign =
            meaning.Is(Meaning::Kind::kExternal) && !scene_.rules.IsKnownModule(meaning.name);
        Add(foreign ? "E411" : "E606", *decorator,
            fmt::format("the decorator {} runs around the launcher, and croq can't see what it does",
                        Who(scene_, named, meaning.name)));
      }
    }
    if (decorator->Is(Kind::kCall)) {
      for (const Node* argument : decorator->children) {
        if (argument->field != Field::kFunc)
          Visit(*argument);
      }
    }
  }
}

void Hot::VisitCached(const Node& function, const Node& decorator) {
  if (TouchesTensors(function) || chain_.size() == 1) {
    Add("E302", decorator,
        fmt::format("'{}' keeps its results: a later call may get an old answer", function.text));
  } else {
    Add("S110", decorator, fmt::format("'{}' keeps its results between calls", function.text));
  }
}

void Hot::CheckOperator(const Node& node) {
  if (node.text == "MatMult") {
    return Add("E101", node,
               fmt::format("the matrix product '{}' in the hot path", Shown(scene_.tree, node)));
  }
  const bool compared = node.Is(Kind::kCompare);
  if (compared && (node.text.starts_with("Is") || node.text == "In" || node.text == "NotIn"))
    return;
  for (const Node* child : node.children) {
    if (!tensors_.Is(*child))
      continue;
    const bool asked = node.field == Field::kTest || node.parent->Is(Kind::kBoolOp);
    const bool reads = (compared && asked) || node.text == "Not";
    Add(reads ? "E111" : "E104", node,
        fmt::format("'{}' {} in the hot path", Shown(scene_.tree, node),
                    reads ? "reads a tensor's values" : "makes torch compute with a tensor"));
    return;
  }
}

void Hot::CheckTruth(const Node& test) {
  if ((test.Is(Kind::kName) || test.Is(Kind::kSubscript)) && tensors_.Is(test)) {
    Add("E111", test,
        fmt::format("whether '{}' is true depends on a tensor's values", Shown(scene_.tree, test)));
  }
}

void Hot::CheckImport(const Node& statement) {
  for (const Import& import : ImportsOf(statement)) {
    if (import.star) {
      Add("E404", statement, fmt::format("all names of '{}' are taken in", import.name));
    } else if (!scene_.rules.IsKnownModule(import.name)) {
      const Ruling ruling = scene_.rules.Of(Zone::kHot, import.name);
      Add(ruling.forbidden() ? ruling.code : "E411", statement,
          fmt::format("the hot path imports '{}', code that croq does not see", import.name));
    }
  }
}

}  // namespace croq::source::purity
