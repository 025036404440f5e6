#include "croq/source/purity.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/source/purity/entries.h"
#include "croq/source/purity/hot.h"
#include "croq/source/purity/kernels.h"
#include "croq/source/purity/module_zone.h"
#include "croq/source/purity/scene.h"
#include "croq/source/purity/shape.h"
#include "croq/source/purity/state.h"
#include "croq/source/purity/tensors.h"

namespace croq::source {
namespace {

using purity::Chain;

void CheckEntries(purity::Scene& scene, purity::Hot& hot, const purity::Entries& entries) {
  for (const Node* entry : entries.functions) hot.Enter(*entry, {});
  hot.Run();
  for (const Node* of_class : entries.classes) hot.EnterClass(*of_class);
  for (const purity::Entries::Other& other : entries.others) {
    hot.EnterValue(*other.node);
    if (!other.leads_to_function)
      scene.Add("E113", *other.node, {}, "the launcher is no function of this file");
  }
  hot.Run();
  for (const std::string& name : entries.missing) {
    scene.Add("E113", scene.tree.root(), {},
              fmt::format("the file has no function '{}' to judge as its launcher", name));
  }
  if (!entries.functions.empty() || !entries.others.empty() || !entries.missing.empty())
    return;
  if (scene.kernels().empty()) {
    scene.Add("E113", scene.tree.root(), {}, "the file holds no kernel and launches none");
  } else {
    scene.Add("N105", scene.tree.root(), {},
              "no function launches a kernel: only kernels and module code were judged");
  }
}

}  // namespace

bool PurityReport::accepted() const {
  return std::ranges::none_of(findings,
                              [](const Finding& each) { return each.level == Level::kReject; });
}

PurityReport CheckPurity(const SyntaxTree& tree, const Names& names,
                         const contract::Contract& contract, const PurityOptions& options) {
  if (const Node* odd = purity::FindOddNode(tree)) {
    return Unparsed("the syntax tree is none that Python makes", odd->span.line, odd->span.column);
  }
  const purity::Rules rules(contract.purity);
  purity::Scene scene(tree, names, rules, options);
  const purity::Tensors tensors(scene);
  const purity::State state(scene);
  purity::Hot hot(scene, tensors, state);
  purity::Kernels kernels(scene, hot);
  const purity::Entries entries = purity::FindEntries(scene);
  CheckEntries(scene, hot, entries);
  purity::EnterHooks(scene, hot);
  for (const Node* kernel : scene.kernels()) kernels.Judge(*kernel);
  hot.Run();  // what the kernels' decorators and the search call
  for (const Node* entry : entries.functions) purity::CheckResult(scene, hot, kernels, *entry);
  purity::ModuleZone module(scene, hot);
  module.Judge();
  purity::JudgeCold(scene, hot, module);
  purity::CheckOperators(scene);
  if (scene.TooEntangled())
    return Unparsed("what its names stand for takes longer to follow than any kernel's", 1, 0);
  return {scene.TakeFindings()};
}

PurityReport Unparsed(const std::string& message, int line, int column) {
  const CodeFacts& facts = *FindCode("E001");
  return {{{std::string(facts.code), facts.level(), line, column, {}, message,
            std::string(facts.mend)}}};
}

}  // namespace croq::source
