#include "croq/cli/explain_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "croq/cli/diff_text.h"
#include "croq/cli/session_text.h"
#include "croq/contract/figures.h"

namespace croq::cli {
namespace {

using nlohmann::json;

std::string NumberOf(const std::string& figure, const json& value) {
  return value.is_number() ? FigureText(figure, value.get<double>()) : "-";
}

std::string Seen(const IterationFacts& facts) {
  if (!facts.idea) return "Nothing was recorded before it.\n";
  const journal::Idea& idea = *facts.idea;
  if (idea.idea_id.empty()) return fmt::format("{}.\n", idea.evidence);
  return fmt::format("The kernel it started from: `{}`\n\n{}\n", idea.base, idea.evidence);
}

std::string Tried(const IterationFacts& facts) {
  const Iteration& one = facts.iteration;
  if (!facts.idea) return fmt::format("`{}`\n", one.config);
  std::string text = fmt::format("{}\n\n`{}`\n\nExpected: {}\n", facts.idea->idea, one.config,
                                 facts.idea->expected);
  return text;
}

std::string Came(const IterationFacts& facts) {
  const Iteration& one = facts.iteration;
  std::string text = MarkdownRow({"", ""}) + MarkdownRow({"---", "---"});
  text += MarkdownRow({"decision", one.decision == Decision::kNone
                                       ? "none: the bar" : std::string(NameOf(one.decision))});
  text += MarkdownRow({"rate", one.tflops > 0 ? FormatRate(one) : "not measured"});
  if (!one.predicted && one.cold_ms > 0)
    text += MarkdownRow({"time", fmt::format("{:.4f} ms (cold median)", one.cold_ms)});
  if (one.ratio > 0) text += MarkdownRow({"of cuBLAS", FormatShare(one) + " (99%, cold pairs)"});
  if (one.best_ratio > 0)
    text += MarkdownRow({"of the best before it", fmt::format("{:.3f} (cold)", one.best_ratio)});
  const bool checked = one.verified || (!one.predicted && one.tflops > 0);
  text += MarkdownRow({"check", !checked ? "not measured"
                                         : fmt::format("{}, max_abs_err {:.3g}",
                                                       one.verified ? "passed" : "not passed",
                                                       one.max_abs_err)});
  if (facts.idea && facts.idea->actual_gain > 0 && facts.idea->expected_gain > 0) {
    text += MarkdownRow({"gain over its base",
                         fmt::format("{:.3f} (expected {:.2f})", facts.idea->actual_gain,
                                     facts.idea->expected_gain)});
  }
  if (facts.idea) text += fmt::format("\n{}\n", facts.idea->actual);
  const std::string counters = facts.idea ? CounterTable(*facts.idea) : "";
  return counters.empty() ? text : text + "\nCounters that should have moved:\n\n" + counters;
}

std::string OwnProfile(const IterationFacts& facts) {
  if (!facts.profile) return "";
  const profile::KernelProfile& profile = *facts.profile;
  std::string text = fmt::format("\n## Its own profile\n{}, confidence {}{}\n\n",
                                 VerdictText(profile),
                                 profile.confidence.empty() ? "unknown" : profile.confidence,
                                 !profile.is_static   ? ""
                                 : profile.predicted ? "; static, no GPU has run it"
                                                      : "; static, no counter was read");
  text += MarkdownRow({"figure", "value", "from"}) + MarkdownRow({"---", "---:", "---"});
  for (const contract::FigureInfo& info : contract::Figures()) {
    const profile::Figure* figure = profile.Find(info.name);
    if (figure == nullptr) continue;
    text += MarkdownRow({std::string(info.name), FigureText(info.name, figure->value),
                         figure->metric});
  }
  return text;
}

std::string ToParent(const IterationFacts& facts, const IterationFacts* parent) {
  if (parent == nullptr) return "";
  std::string text = fmt::format("\n## Against {}\n", parent->iteration.Name());
  text += MarkdownRow({"lever", "before", "after"}) + MarkdownRow({"---", "---", "---"});
  for (const LeverChange& one :
       CompareConfigs(parent->iteration.config, facts.iteration.config)) {
    text += MarkdownRow({one.lever, one.before.empty() ? "-" : one.before,
                         one.after.empty() ? "-" : one.after});
  }
  const std::string source = SourceDiff(*parent, facts);
  return text + (source.empty() ? "\nThe scripts are the same.\n"
                                : fmt::format("\n```diff\n{}```\n", source));
}

}  // namespace

std::string MarkdownRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell) {
      if (c == '|') row += '\\';
      row += c == '\n' ? ' ' : c;
    }
    row += " |";
  }
  return row + "\n";
}

std::string CounterTable(const journal::Idea& idea) {
  const json counters = json::parse(idea.counters, nullptr, false);
  if (!counters.is_array() || counters.empty()) return "";
  std::string text = MarkdownRow({"figure", "expected", "before", "after", "as expected"}) +
                     MarkdownRow({"---", "---", "---:", "---:", "---"});
  for (const json& one : counters) {
    if (!one.is_object()) continue;
    const json as_expected = one.value("as_expected", json(nullptr));
    text += MarkdownRow({one.value("figure", ""), one.value("expected", ""),
                         NumberOf(one.value("figure", ""), one.value("before", json(nullptr))),
                         NumberOf(one.value("figure", ""), one.value("after", json(nullptr))),
                         !as_expected.is_boolean()     ? "not known"
                         : as_expected.get<bool>() ? "yes"
                                                   : "no"});
  }
  return text;
}

std::string ExplainIteration(const IterationFacts& facts, const IterationFacts* parent) {
  const Iteration& one = facts.iteration;
  return fmt::format("# {}, round {}{}\n\n## What was seen\n{}\n## What was tried\n{}\n"
                     "## What came of it\n{}{}{}",
                     one.Name(), one.round, one.predicted ? " (predicted: no GPU has run it)" : "",
                     Seen(facts), Tried(facts), Came(facts), OwnProfile(facts),
                     ToParent(facts, parent));
}

}  // namespace croq::cli
