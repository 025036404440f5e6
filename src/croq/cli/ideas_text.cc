#include "croq/cli/ideas_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "croq/cli/output.h"
#include "croq/contract/contract_json.h"

namespace croq::cli {
namespace {

using contract::Idea;
using nlohmann::json;

std::string MoveOf(const Idea& idea) {
  if (idea.levers.empty()) return fmt::format("to {}", fmt::join(idea.variants, " or "));
  std::string text = fmt::format("{} {}", fmt::join(idea.levers, ", "), idea.move);
  if (!idea.with.empty()) text += fmt::format(" (with {})", fmt::join(idea.with, ", "));
  return text;
}

std::string TestText(const contract::FigureTest& test) {
  std::string text = test.figure;
  if (test.at_least) text += fmt::format(" >= {:g}", *test.at_least);
  if (test.below) text += fmt::format(" < {:g}", *test.below);
  return text;
}

std::string Tests(const std::vector<contract::FigureTest>& tests, const char* joint) {
  std::vector<std::string> texts;
  for (const contract::FigureTest& test : tests) texts.push_back(TestText(test));
  return fmt::format("{}", fmt::join(texts, joint));
}

std::string Record(const profile::IdeaRecord& record) {
  return record.tries == 0 ? "" : fmt::format("; kept {} of {} times before", record.hits,
                                              record.tries);
}

std::string Entry(const Idea& idea) {
  TextTable table;
  table.AddRow({"does", idea.text + (idea.beyond_contract ? " [beyond the contract]" : "")});
  if (!idea.unavailable.empty()) {
    table.AddRow({"not offered", idea.unavailable});
    return fmt::format("{}\n{}", idea.id, table.Render(2));
  }
  table.AddRow({"moves", MoveOf(idea)});
  std::vector<std::string> needs;
  if (!idea.operators.empty())
    needs.push_back(fmt::format("{}", fmt::join(idea.operators, " or ")));
  if (!idea.dtypes.empty()) needs.push_back(fmt::format("{}", fmt::join(idea.dtypes, " or ")));
  if (idea.needs_compute_capability > 0)
    needs.push_back(fmt::format("compute capability {}", idea.needs_compute_capability));
  if (!needs.empty()) table.AddRow({"needs", fmt::format("{}", fmt::join(needs, ", "))});
  if (!idea.when.empty()) table.AddRow({"speaks for it", Tests(idea.when, ", or ")});
  for (const contract::FigureTest& test : idea.pointless) {
    table.AddRow({"pointless where", fmt::format("{}: {}", TestText(test), test.why)});
  }
  std::vector<std::string> changes;
  for (const contract::FigureMove& change : idea.changes) {
    changes.push_back(change.figure + " " + change.move);
  }
  table.AddRow({"should change", fmt::format("{}", fmt::join(changes, ", "))});
  table.AddRow({"gain", idea.gain.figure.empty()
                            ? fmt::format("{:.2f} at first, at most {:.2f}", idea.gain.guess,
                                          idea.gain.most)
                            : fmt::format("1 / (1 - {:g} x {} / 100), at most {:.2f}; {:.2f} where "
                                          "it is not known", idea.gain.share, idea.gain.figure,
                                          idea.gain.most, idea.gain.guess)});
  if (!idea.source.empty()) table.AddRow({"source", idea.source});
  return fmt::format("{}\n{}", idea.id, table.Render(2));
}

bool Of(const Idea& idea, const std::string& bottleneck) {
  return bottleneck.empty() || idea.Answers(bottleneck);
}

}  // namespace

std::string FormatRanking(const std::vector<profile::RankedIdea>& ranking) {
  std::string text;
  int place = 0;
  for (const profile::RankedIdea& one : ranking) {
    if (!one.applicable) continue;
    TextTable table;
    table.AddRow({"does", one.idea->text});
    table.AddRow({"moves", MoveOf(*one.idea)});
    table.AddRow({"seen", one.evidence});
    table.AddRow({"expected", fmt::format("{:.2f} times as fast, score {:.3f}{}", one.expected_gain,
                                          one.score, Record(one.record))});
    text += fmt::format("{}. {}\n{}", ++place, one.idea->id, table.Render(3));
  }
  if (place == 0) text = "No idea of the menu applies.\n";
  TextTable rest;
  for (const profile::RankedIdea& one : ranking) {
    if (!one.applicable) rest.AddRow({one.idea->id, one.reason});
  }
  return text + "\nNot for this kernel\n" + rest.Render(2);
}

json RankingJson(const std::vector<profile::RankedIdea>& ranking) {
  json out = json::array();
  for (const profile::RankedIdea& one : ranking) out.push_back(profile::ToJson(one));
  return out;
}

std::string FormatMenu(const contract::Contract& contract, const std::string& bottleneck) {
  std::string text;
  for (const Idea& idea : contract.ideas) {
    if (Of(idea, bottleneck)) text += (text.empty() ? "" : "\n") + Entry(idea);
  }
  return text;
}

json MenuJson(const contract::Contract& contract, const std::string& bottleneck) {
  json out = json::array();
  for (const Idea& idea : contract.ideas) {
    if (Of(idea, bottleneck)) out.push_back(idea);
  }
  return out;
}

}  // namespace croq::cli
