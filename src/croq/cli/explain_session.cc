#include "croq/cli/explain_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "croq/cli/diff_text.h"
#include "croq/cli/explain_text.h"
#include "croq/cli/session_text.h"
#include "croq/tune/round_records.h"

namespace croq::cli {
namespace {

using nlohmann::json;

const Iteration* IterationOf(const SessionPath& path, const journal::Idea& idea) {
  const auto found = std::ranges::find_if(path.iterations, [&](const Iteration& one) {
    return IterationName(one.number) == idea.iter;
  });
  return found == path.iterations.end() ? nullptr : &*found;
}

std::string Head(const SessionPath& path) {
  const journal::SessionSummary& summary = path.summary;
  std::string text = fmt::format("# {}\n\n", path.name);
  if (summary.info.offline) text += "No GPU was used: every figure is predicted.\n\n";
  text += fmt::format("{} trials, {} iterations, {} attempts", summary.trials - summary.rejected,
                      summary.iterations, summary.attempts);
  if (!summary.best) return text + "; no verified kernel yet.\n\n";
  text += fmt::format(". The best kernel: {}, {}", summary.best->Name(), FormatRate(*summary.best));
  if (summary.best->ratio > 0)
    text += fmt::format(", {} of torch.matmul", FormatShare(*summary.best));
  return text + ".\n\n";
}

std::string Gain(double value) { return value > 0 ? fmt::format("{:.3f}", value) : "-"; }

std::string RoundTable(const SessionPath& path) {
  std::string text = MarkdownRow({"round", "iteration", "idea", "seen", "expected of base",
                                  "actual of base", "of best", "TFLOPS", "decision"}) +
                     MarkdownRow({"---:", "---", "---", "---", "---:", "---:", "---:", "---:", "---"});
  for (const journal::Idea& idea : path.ideas) {
    const Iteration* one = IterationOf(path, idea);
    text += MarkdownRow({idea.round > 0 ? fmt::format("{}", idea.round) : "-",
                         one == nullptr ? idea.iter : one->Name(),
                         idea.idea_id.empty() ? "wide screening" : idea.idea_id,
                         idea.bottleneck.empty() ? "-" : idea.bottleneck, Gain(idea.expected_gain),
                         Gain(idea.actual_gain), one == nullptr ? "-" : Gain(one->best_ratio),
                         one == nullptr || !(one->tflops > 0) ? "-" : fmt::format("{:.1f}", one->tflops),
                         one == nullptr ? "no kernel" : std::string(NameOf(idea.decision))});
  }
  return text + "\nTFLOPS of different rounds drift with the GPU's clock: the interleaved pairs with "
                "the best before it (of best) decide.\n";
}

/// What was profiled once the round's kernel was there.
std::string Profiled(const SessionPath& path, const Iteration& one) {
  const auto found = path.profiles.find(one.config);
  if (found == path.profiles.end()) return "";
  const profile::KernelProfile& profile = found->second;
  std::string text = fmt::format("Profile: {}, confidence {}", VerdictText(profile),
                                 profile.confidence);
  if (profile.is_static) return text + "; static, no counter was read\n\n";
  return text + fmt::format("; counters of `{}`{}\n\n", profile.kernel,
                            profile.candidate.empty()             ? ""
                            : profile.candidate == profile.kernel ? ", the candidate's kernel"
                                : ", and the candidate's kernel is " + profile.candidate);
}

std::string Rounds(const SessionPath& path) {
  std::string text;
  for (const journal::Idea& idea : path.ideas) {
    const Iteration* one = IterationOf(path, idea);
    text += fmt::format("\n### Round {}: {}\n\n", idea.round, idea.idea);
    text += fmt::format("Seen: {}\n\n", idea.evidence);
    if (!idea.base.empty()) text += fmt::format("From: `{}`\n\n", idea.base);
    if (one != nullptr) {
      text += fmt::format("Wrote: {} `{}`\n\n", one->Name(), one->config);
      text += Profiled(path, *one);
    }
    text += fmt::format("Expected: {}\n\nCame: {}{}\n", idea.expected, idea.actual,
                        one == nullptr ? "" : fmt::format(" ({})", NameOf(idea.decision)));
    const std::string counters = CounterTable(idea);
    if (!counters.empty()) text += "\n" + counters;
  }
  return text;
}

std::string Ideas(const SessionPath& path) {
  struct Count {
    int tries = 0;
    int hits = 0;
  };
  std::map<std::string, Count> counts;
  for (const journal::Idea& idea : path.ideas) {
    if (idea.idea_id.empty()) continue;
    ++counts[idea.idea_id].tries;
    const bool kept = IterationOf(path, idea) != nullptr && idea.decision == Decision::kKeep;
    if (kept) ++counts[idea.idea_id].hits;
  }
  if (counts.empty()) return "";
  std::string text = "\n## Ideas\n\n" + MarkdownRow({"idea", "tried", "kept"}) +
                     MarkdownRow({"---", "---:", "---:"});
  for (const auto& [id, count] : counts) {
    text += MarkdownRow({id, fmt::format("{}", count.tries), fmt::format("{}", count.hits)});
  }
  const KeepCount keeps = CountKeeps(path);
  return text + fmt::format("\n{} kept for an idea; in {} of the {} whose counters are known, the "
                            "counter it aimed at moved as expected.\n",
                            keeps.kept, keeps.aimed, keeps.known);
}

std::string Rules(const SessionPath& path) {
  const tune::RuleReport& rules = path.rules;
  if (rules.rounds == 0) return "";
  std::string text = "\n## Rules\n\n" + MarkdownRow({"counter", "value"}) +
                     MarkdownRow({"---", "---"});
  const json counters = tune::ToJson(rules);
  for (const auto& [name, value] : counters.items()) {
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    if (value.is_number()) text += MarkdownRow({words, value.dump()});
  }
  const std::string abandoned = fmt::format("{}", fmt::join(rules.abandoned, ", "));
  text += MarkdownRow({"abandoned", abandoned.empty() ? "none" : abandoned});
  if (rules.broken.empty()) return text + "\nNo rule was broken.\n";
  return text + fmt::format("\nBroken: {}\n", fmt::join(rules.broken, "; "));
}

}  // namespace

Result<SessionPath> ReadSessionPath(const std::string& name, const journal::Queries& read) {
  SessionPath path;
  path.name = name;
  CROQ_ASSIGN(path.summary, read.Summary());
  CROQ_ASSIGN(path.iterations, read.Iterations());
  CROQ_ASSIGN(path.attempts, read.Attempts());
  CROQ_ASSIGN(path.ideas, read.Ideas());
  CROQ_ASSIGN(const std::vector<tune::ClosedRound> rounds, tune::ReadRounds(read));
  path.rules = tune::AuditRounds(rounds);
  for (const Iteration& one : path.iterations) {
    CROQ_ASSIGN(const std::optional<std::string> text, read.ProfileText(one.config));
    if (!text) continue;
    // A damaged one is shown as none.
    const Result<profile::KernelProfile> profile = profile::KernelProfileFromJson(*text);
    if (profile) path.profiles.insert_or_assign(one.config, *profile);
  }
  return path;
}

Plot PlotOf(const SessionPath& path) {
  Plot plot;
  plot.title = path.summary.info.shape_key;
  plot.unit = path.summary.info.offline ? "TFLOPS (predicted)" : "TFLOPS (contract)";
  for (const Iteration& one : path.iterations) {
    if (one.number == 0) {
      plot.bar = one.tflops;
      plot.bar_label = one.tag;
      continue;
    }
    plot.points.push_back({one.round, one.tflops, one.decision == Decision::kKeep,
                           fmt::format("{}: {:.1f}, {}", one.Name(), one.tflops,
                                       NameOf(one.decision))});
  }
  return plot;
}

KeepCount CountKeeps(const SessionPath& path) {
  KeepCount count;
  for (const journal::Idea& idea : path.ideas) {
    const bool kept = idea.decision == Decision::kKeep && IterationOf(path, idea) != nullptr;
    if (idea.idea_id.empty() || !kept) continue;
    ++count.kept;
    const json counters = json::parse(idea.counters, nullptr, false);
    if (!counters.is_array()) continue;
    for (const json& one : counters) {
      const json as_expected = one.is_object() ? one.value("as_expected", json(nullptr)) : json();
      if (!as_expected.is_boolean()) continue;
      ++count.known;
      count.aimed += as_expected.get<bool>() ? 1 : 0;
      break;
    }
  }
  return count;
}

std::string ExplainSession(const SessionPath& path, const std::string& picture) {
  std::string text = Head(path);
  if (!picture.empty()) text += picture + "\n\n";
  text += "## Rounds\n\n" + RoundTable(path);
  text += Rounds(path) + Ideas(path) + Rules(path);
  if (!path.attempts.empty()) {
    text += "\n## Attempts\n\n" + MarkdownRow({"attempt", "outcome", "reason"}) +
            MarkdownRow({"---", "---", "---"});
    for (const Attempt& one : path.attempts) {
      text += MarkdownRow({one.Name(), std::string(NameOf(one.outcome)), one.reason});
    }
  }
  return text;
}

}  // namespace croq::cli
