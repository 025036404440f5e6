#include "croq/source/purity/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "croq/source/purity/imports.h"
#include "croq/source/words.h"

namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

constexpr std::string_view kLanguage = "triton.language.";
// Keywords of @triton.jit that are data.
constexpr std::array<std::string_view, 6> kJitKeywords{
    "version", "do_not_specialize", "do_not_specialize_on_alignment", "debug", "noinline",
    "is_pure"};
constexpr std::array<std::string_view, 4> kPrecisionKeywords{"input_precision", "allow_tf32",
                                                             "out_dtype", "max_num_imprecise_acc"};

bool TouchesMemory(std::string_view assembly) {
  return std::ranges::any_of(
      std::array<std::string_view, 6>{"ld.", "st.", "atom.", "red.", "cp.", "multimem."},
      [&](std::string_view word) { return assembly.find(word) != std::string_view::npos; });
}

}  // namespace

void Kernels::Judge(const Node& kernel) {
  chain_ = {StepOf(kernel)};
  if (kernel.Is(Kind::kLambda))
    return Visit(*kernel.Child(Field::kBody));
  JudgeDecorators(kernel);
  for (const auto& [parameter, value] : DefaultsByParameter(kernel)) {
    if (!IsPlainConstant(scene_, *value)) {
      Add("E603", *value, fmt::format("the default of '{}' is no constant: it runs at import and "
                                      "while the kernel compiles",
                                      parameter->text));
    }
  }
  for (const Node* parameter : ParametersOf(kernel)) CheckAnnotation(scene_, *parameter, chain_);
  CheckAnnotation(scene_, kernel, chain_);
  for (const Node* statement : kernel.Children(Field::kBody)) Visit(*statement);
}

void Kernels::JudgeDecorators(const Node& kernel) {
  for (const Node* decorator : kernel.Children(Field::kDecorators)) {
    const bool called = decorator->Is(Kind::kCall);
    const Node& named = called ? *decorator->Child(Field::kFunc) : *decorator;
    for (const Meaning& meaning : scene_.MeaningsOf(named)) {
      const bool external = meaning.Is(MeaningKind::kExternal);
      if (external && scene_.rules.IsJit(meaning.name)) {
        for (const Node* keyword : decorator->Children(Field::kKeywords)) JudgeJitKeyword(*keyword);
      } else if (external && meaning.name.starts_with("triton.heuristics")) {
        if (called)
          JudgeHeuristics(*decorator);
      } else if (external && scene_.rules.Of(Zone::kHot, meaning.name).code == "E201") {
        // said where the module is judged
      } else if (!external || scene_.rules.Of(Zone::kHot, meaning.name).verdict !=
                                  Ruling::Verdict::kAllowed) {
        Add("E606", *decorator,
            fmt::format("the decorator {} stands around a kernel, and croq can't see what it makes "
                        "of it",
                        Who(scene_, named, meaning.name)));
      }
    }
  }
}

void Kernels::JudgeJitKeyword(const Node& keyword) {
  const Node& value = *keyword.Child(Field::kValue);
  if (Holds(kJitKeywords, keyword.text))
    return;
  if (keyword.text == "repr" || keyword.text == "launch_metadata") {
    if (value.Is(Kind::kConstant))
      return;
    Add("S106", keyword, fmt::format("'{}' is called by Triton around a launch", keyword.text));
    return EnterCallable(value, keyword.text);
  }
  const Ruling ruling = scene_.rules.Of(Zone::kLaunch, keyword.text);
  if (ruling.forbidden()) {
    return Add(ruling.code, keyword, fmt::format("the decorator takes '{}': {}", keyword.text,
                                                 ruling.text));
  }
  Add("E602", keyword,
      fmt::format("the decorator takes '{}', which is more than a kernel needs",
                  keyword.text.empty() ? Shown(scene_.tree, keyword) : std::string(keyword.text)));
}

void Kernels::JudgeHeuristics(const Node& call) {
  for (const Node* argument : call.children) {
    if (argument->field == Field::kFunc)
      continue;
    const Node* value = argument->Is(Kind::kKeyword) ? argument->Child(Field::kValue) : argument;
    for (const Meaning& meaning : scene_.MeaningsOf(*value)) {
      if (!meaning.Is(MeaningKind::kValue) || !meaning.node->Is(Kind::kDict)) {
        Add("E602", *value, fmt::format("croq can't see the heuristics in '{}'",
                                        Shown(scene_.tree, *value)));
        continue;
      }
      for (const Node* each : meaning.node->children) {
        if (each->field != Field::kKeys)
          EnterCallable(*each, "heuristics");
      }
    }
  }
}

void Kernels::EnterCallable(const Node& value, std::string_view duty) {
  for (const Meaning& meaning : scene_.MeaningsOf(value)) {
    if (meaning.Is(MeaningKind::kFunction)) {
      hot_.Enter(*meaning.node, chain_);
    } else {
      Add("E602", value, fmt::format("croq can't follow '{}', which Triton calls for '{}'",
                                     Shown(scene_.tree, value), duty));
    }
  }
}

void Kernels::VisitChildren(const Node& node) {
  for (const Node* child : node.children) Visit(*child);
}

void Kernels::Visit(const Node& node) {
  switch (node.kind) {
    case Kind::kName:
      if (node.access == Access::kLoad)
        VisitName(node);
      return;
    case Kind::kAttribute:
      if (node.access != Access::kLoad)
        return Add("E605", node, fmt::format("'{}' is written in a kernel",
                                             Shown(scene_.tree, node)));
      if (IsDunder(node.text) && node.text != "__name__") {
        return Add("E405", node, fmt::format("'{}' reaches into Python's own machinery",
                                             Shown(scene_.tree, node)));
      }
      return VisitName(node);
    case Kind::kCall:
      return VisitCall(node);
    case Kind::kAnnAssign:
      if (const Node* value = node.Child(Field::kValue))
        Visit(*value);
      return;
    default:
      return VisitStatement(node);
  }
}

void Kernels::VisitStatement(const Node& node) {
  switch (node.kind) {
    case Kind::kImport:
    case Kind::kImportFrom:
    case Kind::kGlobal:
    case Kind::kNonlocal:
    case Kind::kTry:
    case Kind::kTryStar:
    case Kind::kClassDef:
    case Kind::kLambda:
    case Kind::kFunctionDef:
    case Kind::kAsyncFunctionDef:
    case Kind::kAwait:
    case Kind::kYield:
    case Kind::kYieldFrom:
      if (scene_.IsKernel(node))
        return;  // judged for itself
      return Add("E605", node, fmt::format("'{}' has no place in a kernel",
                                           Shown(scene_.tree, node)));
    default:
      return VisitChildren(node);
  }
}

void Kernels::VisitName(const Node& node) {
  bool known = true;
  for (const Meaning& meaning : scene_.MeaningsOf(node)) {
    known = known && !meaning.Is(MeaningKind::kMember);
    ReferTo(meaning, node);
  }
  if (node.Is(Kind::kAttribute) && !known)
    Visit(*node.Child(Field::kValue));
}

void Kernels::ReferTo(const Meaning& meaning, const Node& node) {
  if (meaning.Is(MeaningKind::kFunction)) {
    if (scene_.IsDecoratedWith(*meaning.node, "triton.constexpr_function") ||
        scene_.IsDecoratedWith(*meaning.node, "triton.language.constexpr_function"))
      return hot_.Enter(*meaning.node, chain_);
    // A kernel's own parameter may be bound to a function by its callers: they are judged there.
    if (node.Is(Kind::kName) && meaning.binding == nullptr && meaning.node != nullptr &&
        !scene_.names.BindingsOf(node).empty() &&
        scene_.names.BindingsOf(node).front()->node->Is(Kind::kArg))
      return;
    return Add("E601", node, fmt::format("'{}' is a plain Python function: it runs while the kernel "
                                         "compiles",
                                         Shown(scene_.tree, node)));
  }
  if (!meaning.Is(MeaningKind::kExternal))
    return;
  const Ruling ruling = scene_.rules.Of(Zone::kJit, meaning.name);
  if (ruling.verdict == Ruling::Verdict::kAllowed)
    return;
  if (ruling.unlisted() && !scene_.rules.IsKnownModule(meaning.name)) {
    return Add("E411", node, fmt::format("{} in a kernel is code that croq does not see",
                                         Who(scene_, node, meaning.name)));
  }
  // A name that nothing in the file or Python's builtins binds, and a type's own name, are Triton's
  // to refuse; what is listed as forbidden is worth its own code where it is about kernels.
  if (ruling.code == "E107") {
    return Add(ruling.code, node, fmt::format("{} in a kernel: {}", Who(scene_, node, meaning.name),
                                              ruling.text));
  }
  const bool own = ruling.code.starts_with("E6");
  Add(own ? ruling.code : "E601", node,
      fmt::format("{} in a kernel runs as Python while Triton compiles it{}{}",
                  Who(scene_, node, meaning.name), ruling.text.empty() ? "" : ": ", ruling.text));
}

void Kernels::VisitCall(const Node& call) {
  const Node& callee = *call.Child(Field::kFunc);
  const auto name = scene_.names.Resolve(callee);
  if (name && name->starts_with(kLanguage)) {
    const std::string_view member = std::string_view(*name).substr(kLanguage.size());
    const Node* first = call.Child(Field::kArgs);
    if (member == "inline_asm_elementwise" && first != nullptr &&
        (!first->IsString() || TouchesMemory(first->text))) {
      Add("S108", call, "inline assembly may touch any memory");
    }
    if (member.starts_with("dot")) {
      for (const Node* keyword : call.Children(Field::kKeywords)) {
        if (Holds(kPrecisionKeywords, keyword->text)) {
          Add("N103", *keyword, fmt::format("the product's precision is set by '{}'",
                                            Shown(scene_.tree, *keyword)));
        }
      }
    }
  }
  if (callee.Is(Kind::kAttribute) && callee.text == "to" && call.Child(Field::kArgs) != nullptr &&
      call.Child(Field::kArgs)->Is(Kind::kCall) &&
      scene_.names.Resolve(*call.Child(Field::kArgs)->Child(Field::kFunc)) ==
          "triton.language.pointer_type") {
    Add("S109", call, fmt::format("'{}' makes a pointer", Shown(scene_.tree, call)));
  }
  if (callee.Is(Kind::kSubscript)) {
    for (const Meaning& meaning : scene_.MeaningsOf(callee)) ReferTo(meaning, callee);
  }
  CheckObject(call);
  VisitChildren(call);
}

}  // namespace croq::source::purity
