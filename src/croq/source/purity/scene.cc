#include "croq/source/purity/scene.h"

#include <algorithm>

namespace croq::source::purity {
namespace {

/// What iteration 0 may do: torch computes, and a search chooses.
constexpr std::string_view kBaselineMay[] = {"E101", "E102", "E103", "E104", "E109", "E113",
                                             "E114", "E115", "E201", "E205"};

}  // namespace

Scene::Scene(const SyntaxTree& tree_in, const Names& names_in, const Rules& rules_in,
             const PurityOptions& options_in)
    : tree(tree_in), names(names_in), rules(rules_in), options(options_in) {
  Index();
  IndexKernels();
  IndexArguments();
  kept_.clear();
  fixed_.clear();
  indexed_ = true;
}

void Scene::Index() {
  Walk(tree.root(), [&](const Node& node) {
    if (node.Is(Kind::kFunctionDef) || node.Is(Kind::kAsyncFunctionDef))
      functions_.push_back(&node);
    if (node.Is(Kind::kCall))
      calls_.push_back(&node);
    IndexMembers(node);
    if (node.Is(Kind::kName))
      uses_[node.text].push_back(&node);
    if (node.Is(Kind::kAttribute))
      attributes_.insert(node.text);
    const Node* base = node.Is(Kind::kSubscript) && node.access == Access::kStore
                           ? node.Child(Field::kValue)
                           : nullptr;
    const Node* callee = node.Is(Kind::kCall) ? node.Child(Field::kFunc) : nullptr;
    if (callee != nullptr && callee->Is(Kind::kAttribute) &&
        (callee->text == "update" || callee->text == "setdefault"))
      base = callee->Child(Field::kValue);
    if (base != nullptr && base->Is(Kind::kName))
      item_changes_[base->text].push_back(&node);
    if (callee != nullptr && callee->Is(Kind::kAttribute) && callee->text == "append" &&
        callee->Child(Field::kValue)->Is(Kind::kName) && node.Child(Field::kArgs) != nullptr)
      added_[callee->Child(Field::kValue)->text].push_back(node.Child(Field::kArgs));
    return true;
  });
}

const std::vector<const Node*>& Scene::ItemChangesOf(std::string_view name) const {
  static const std::vector<const Node*> kNone;
  const auto found = item_changes_.find(name);
  return found == item_changes_.end() ? kNone : found->second;
}

const std::vector<const Node*>& Scene::AddedTo(std::string_view name) const {
  static const std::vector<const Node*> kNone;
  const auto found = added_.find(name);
  return found == added_.end() ? kNone : found->second;
}

bool Scene::IsDecoratedWith(const Node& function, std::string_view name) const {
  return std::ranges::any_of(function.Children(Field::kDecorators), [&](const Node* decorator) {
    const Node* named = decorator->Is(Kind::kCall) ? decorator->Child(Field::kFunc) : decorator;
    return std::ranges::any_of(MeaningsOf(*named), [&](const Meaning& meaning) {
      return meaning.Is(Meaning::Kind::kExternal) && meaning.name == name;
    });
  });
}

void Scene::IndexKernels() {
  const auto add = [&](const Node* function) {
    if (kernels_.insert(function).second)
      kernel_list_.push_back(function);
  };
  const auto is_jit = [&](const Node& named) {
    return std::ranges::any_of(MeaningsOf(named), [&](const Meaning& meaning) {
      return meaning.Is(Meaning::Kind::kExternal) && rules.IsJit(meaning.name);
    });
  };
  for (const Node* function : functions_) {
    for (const Node* decorator : function->Children(Field::kDecorators)) {
      if (is_jit(decorator->Is(Kind::kCall) ? *decorator->Child(Field::kFunc) : *decorator))
        add(function);
    }
  }
  for (const Node* call : calls_) {
    const Node* callee = call->Child(Field::kFunc);
    const bool by_call = callee->Is(Kind::kCall) && is_jit(*callee->Child(Field::kFunc));
    if (!by_call && !is_jit(*callee))
      continue;
    for (const Node* argument : call->Children(Field::kArgs)) {
      for (const Meaning& meaning : MeaningsOf(*argument)) {
        if (meaning.Is(Meaning::Kind::kFunction))
          add(meaning.node);
      }
    }
  }
}

const std::vector<const Node*>& Scene::ArgumentsFor(const Node& parameter) const {
  static const std::vector<const Node*> kNone;
  const auto found = arguments_.find(&parameter);
  return found == arguments_.end() ? kNone : found->second;
}

void Scene::Add(std::string_view code, const Node& at, const Chain& chain, std::string message) {
  if (baseline() && std::ranges::find(kBaselineMay, code) != std::end(kBaselineMay))
    return;
  const CodeFacts* facts = FindCode(code);
  if (facts == nullptr)  // a contract file that names none of croq's codes
    facts = FindCode("E108");
  if (!noted_.insert({facts->code, {at.span.line, at.span.column}}).second)
    return;
  findings_.push_back({std::string(facts->code), facts->level(), at.span.line, at.span.column,
                       chain, std::move(message), std::string(facts->mend)});
}

std::vector<Finding> Scene::TakeFindings() {
  std::ranges::stable_sort(findings_, [](const Finding& a, const Finding& b) {
    return std::tie(a.line, a.column, a.code) < std::tie(b.line, b.column, b.code);
  });
  return std::move(findings_);
}

std::vector<const Node*> Scene::KernelsOf(const Node& expression) const {
  std::vector<const Node*> found;
  for (const Meaning& meaning : MeaningsOf(expression)) {
    if (meaning.Is(Meaning::Kind::kKernel))
      found.push_back(meaning.node);
  }
  return found;
}

}  // namespace croq::source::purity
