#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "croq/base/suggest.h"
#include "croq/contract/figures.h"
#include "croq/contract/load_rules.h"

namespace croq::contract {
namespace {

const std::array<std::string, 4> kMoves{"up", "down", "any", "structure"};
const std::array<std::string, 2> kFigureMoves{"up", "down"};
const std::array<std::string, 6> kBottlenecks{"memory_bound", "compute_bound", "latency_bound",
                                              "launch_bound", "mixed",         "l2"};

std::string DidYouMean(std::string_view word, std::span<const std::string> known) {
  const std::string near = Suggest(word, known);
  return near.empty() ? "" : "; did you mean " + near + "?";
}

std::string ReadFigure(TableReader& table) {
  std::string figure = table.Text("figure");
  if (figure.empty() || FindFigure(figure) != nullptr)
    return figure;
  std::vector<std::string> known;
  for (const FigureInfo& info : Figures()) known.emplace_back(info.name);
  table.Complain("figure", fmt::format("'{}' is no figure of a profile{}", figure,
                                       DidYouMean(figure, known)));
  return figure;
}

std::vector<FigureTest> ReadTests(TableReader& idea, std::string_view key, bool with_reason) {
  std::vector<FigureTest> tests;
  for (TableReader& table : idea.TablesOrNone(key)) {
    FigureTest test;
    test.figure = ReadFigure(table);
    test.at_least = table.NumberOrNone("at_least");
    test.below = table.NumberOrNone("below");
    test.why = with_reason ? table.Text("why") : table.TextOr("why", "");
    if (!test.at_least && !test.below) {
      table.Complain("figure", fmt::format("the test of '{}' needs at_least or below", test.figure));
    }
    table.Finish();
    tests.push_back(std::move(test));
  }
  return tests;
}

std::vector<FigureMove> ReadChanges(TableReader& idea) {
  std::vector<FigureMove> changes;
  for (TableReader& table : idea.TablesOrNone("changes")) {
    FigureMove change;
    change.figure = ReadFigure(table);
    change.move = table.OneOf("move", kFigureMoves);
    table.Finish();
    changes.push_back(std::move(change));
  }
  return changes;
}

ExpectedGain ReadGain(TableReader& idea) {
  TableReader table = idea.Table("gain");
  ExpectedGain gain;
  gain.guess = table.Positive("guess");
  gain.most = table.NumberOrNone("most").value_or(gain.guess);
  gain.share = table.NumberOrNone("share").value_or(0);
  if (gain.share > 0)
    gain.figure = ReadFigure(table);
  if (gain.share > 1)
    table.Complain("share", fmt::format("'share' is {}, but must be at most 1", gain.share));
  table.Finish();
  return gain;
}

void CheckNames(TableReader& table, std::string_view key, const Idea& idea,
                const std::vector<std::string>& names, const std::vector<std::string>& levers) {
  for (const std::string& name : names) {
    if (std::ranges::find(levers, name) != levers.end())
      continue;
    table.Complain(key, fmt::format("idea '{}' names the lever '{}', which is none{}", idea.id, name,
                                    DidYouMean(name, levers)));
  }
}

/// What is offered needs to say what it moves and what should come of it.
void CheckSense(TableReader& table, const Idea& idea) {
  if (idea.levers.empty() && !idea.move.empty() && idea.move != "structure") {
    table.Complain("levers", fmt::format("idea '{}' moves no lever; move = \"structure\" is for a "
                                         "change of structure", idea.id));
  }
  if (!idea.unavailable.empty())
    return;
  if (idea.levers.empty() && idea.variants.empty()) {
    table.Complain("levers", fmt::format("idea '{}' has neither levers nor variants: say why in "
                                         "'unavailable'", idea.id));
  }
  if (idea.changes.empty()) {
    table.Complain("id", fmt::format("idea '{}' needs 'changes': what should change in the "
                                     "counters if it works", idea.id));
  }
}

Idea ReadIdea(TableReader& table, const std::vector<std::string>& levers) {
  Idea idea;
  idea.id = table.Text("id");
  idea.bottleneck = table.OneOf("bottleneck", kBottlenecks);
  idea.also = table.TextsOrNone("also");
  for (const std::string& verdict : idea.also) {
    if (std::ranges::find(kBottlenecks, verdict) == kBottlenecks.end())
      table.Complain("also", fmt::format("'{}' is no bottleneck{}", verdict,
                                         DidYouMean(verdict, kBottlenecks)));
  }
  idea.text = table.Text("text");
  idea.levers = table.Texts("levers");
  idea.move = table.OneOf("move", kMoves);
  idea.variants = table.TextsOrNone("variants");
  idea.with = table.TextsOrNone("with");
  idea.operators = table.TextsOrNone("operators");
  idea.dtypes = table.TextsOrNone("dtypes");
  idea.needs_compute_capability =
      static_cast<int>(table.IntegerOr("needs_compute_capability", 0, 0));
  idea.unavailable = table.TextOr("unavailable", "");
  idea.structural = table.FlagOr("structural", idea.move == "structure");
  idea.when = ReadTests(table, "when", false);
  idea.pointless = ReadTests(table, "pointless", true);
  idea.changes = ReadChanges(table);
  if (idea.unavailable.empty())
    idea.gain = ReadGain(table);
  idea.source = table.TextOr("source", "");
  idea.beyond_contract = table.FlagOr("beyond_contract", false);
  CheckNames(table, "levers", idea, idea.levers, levers);
  CheckNames(table, "with", idea, idea.with, levers);
  CheckSense(table, idea);
  table.Finish();
  return idea;
}

}  // namespace

void ReadIdeas(TableReader& file, Contract& contract) {
  std::vector<std::string> levers;
  for (const LeverRule& lever : contract.levers) levers.push_back(lever.name);
  std::set<std::string> ids;
  for (TableReader& table : file.Tables("idea")) {
    Idea idea = ReadIdea(table, levers);
    if (!ids.insert(idea.id).second) {
      table.Complain("id", fmt::format("idea '{}' stands twice", idea.id));
    }
    contract.ideas.push_back(std::move(idea));
  }
}

}  // namespace croq::contract
