#include "croq/profile/ideas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace croq::profile {
namespace {

using contract::FigureTest;
using contract::Idea;

// How much each test of `when` weighs: an idea whose evidence is there comes well before one whose
// evidence is against it, and one that nothing is known of lies between.
constexpr double kSpeaksFor = 1.5;
constexpr double kSpeaksAgainst = 0.6;
constexpr double kForRunnerUp = 0.5;
constexpr double kForAnother = 0.1;
constexpr double kForLevel = 1.5;

const VariantSpace* FindVariant(const SearchSpace& space, std::string_view name) {
  const auto found = std::ranges::find(space.variants, name, &VariantSpace::variant);
  return found == space.variants.end() ? nullptr : &*found;
}

const Lever* FindLever(const VariantSpace& variant, std::string_view name) {
  const auto found = std::ranges::find(variant.levers, name, &Lever::name);
  return found == variant.levers.end() ? nullptr : &*found;
}

/// The lever of the base has another value in the idea's direction.
bool CanMove(const Lever& lever, const Config& base, const std::string& move) {
  const auto value = base.values.find(lever.name);
  if (value == base.values.end())
    return false;
  const auto at = std::ranges::find(lever.values, value->second);
  const std::ptrdiff_t place = at - lever.values.begin();
  const auto last = static_cast<std::ptrdiff_t>(lever.values.size()) - 1;
  if (move == "up")
    return place < last;
  return move == "down" ? place > 0 && last > 0 : last > 0;
}

std::optional<std::string> WhyNoLever(const Idea& idea, const contract::Contract& contract,
                                      const IdeaTarget& target) {
  const VariantSpace* variant = FindVariant(target.space, target.base.variant);
  if (variant == nullptr)
    return fmt::format("the kernel's structure '{}' is none that croq makes", target.base.variant);
  std::vector<std::string> missing;
  for (const std::string& name : idea.levers) {
    const contract::LeverRule* rule = contract.FindLever(name);
    if (rule != nullptr && rule->kind == contract::LeverKind::kProblem) {
      return fmt::format("{} is fixed by the dtype ({}): precision is part of the shape key and "
                         "never traded unseen", name, FactsOf(target.dtype).name);
    }
    const Lever* lever = FindLever(*variant, name);
    if (lever == nullptr) {
      missing.push_back(name);
    } else if (CanMove(*lever, target.base, idea.move)) {
      return std::nullopt;
    }
  }
  if (missing.size() == idea.levers.size())
    return fmt::format("for this problem the variant {} comes without {} (docs/variants.md says where "
                       "each lever goes)", target.base.variant, fmt::join(missing, " and "));
  return fmt::format("{} can't move {} from where the kernel has it", fmt::join(idea.levers, ", "),
                     idea.move == "any" ? "away" : idea.move);
}

std::optional<std::string> WhyNoVariant(const Idea& idea, const IdeaTarget& target) {
  bool offered = false;
  for (const std::string& name : idea.variants) {
    if (name == target.base.variant)
      return fmt::format("the kernel is {} already", name);
    offered = offered || FindVariant(target.space, name) != nullptr;
  }
  if (offered)
    return std::nullopt;
  return fmt::format("no variant of {} realises it here ({})", target.operator_name,
                     fmt::join(idea.variants, ", "));
}

bool Names(const std::vector<std::string>& list, std::string_view name) {
  return list.empty() || std::ranges::find(list, name) != list.end();
}

/// What it needs and does not find; nothing where it could be tried at all.
std::optional<std::string> WhyImpossible(const Idea& idea, const contract::Contract& contract,
                                         const IdeaTarget& target) {
  if (!idea.unavailable.empty())
    return idea.unavailable;
  if (!Names(idea.operators, target.operator_name))
    return fmt::format("it is for {}", fmt::join(idea.operators, ", "));
  const std::string dtype(FactsOf(target.dtype).name);
  if (!Names(idea.dtypes, dtype))
    return fmt::format("it is for {}, and the problem is {}", fmt::join(idea.dtypes, ", "), dtype);
  if (target.compute_capability < idea.needs_compute_capability) {
    return fmt::format("it needs compute capability {}, and the device has {}",
                       idea.needs_compute_capability, target.compute_capability);
  }
  if (!idea.levers.empty())
    return WhyNoLever(idea, contract, target);
  return WhyNoVariant(idea, target);
}

bool Addresses(const Idea& idea, const KernelProfile& evidence) {
  return idea.Answers(evidence.bottleneck) ||
         (evidence.level == "l2" && idea.bottleneck == "l2");
}

std::optional<std::string> WhyPointless(const Idea& idea, const KernelProfile& evidence) {
  for (const FigureTest& test : idea.pointless) {
    const Figure* figure = evidence.Find(test.figure);
    if (figure != nullptr && test.Holds(figure->value))
      return fmt::format("{} [{}]", test.why, FormatFigure(test.figure, *figure));
  }
  return std::nullopt;
}

std::string VerdictLine(const KernelProfile& evidence) {
  std::string text = evidence.bottleneck;
  if (!evidence.level.empty())
    text += fmt::format(" ({})", evidence.level);
  for (const char* name : {"sm_pct", "mem_pct", "roofline_pct"}) {
    const Figure* figure = evidence.Find(name);
    if (figure != nullptr)
      text += ", " + FormatFigure(name, *figure);
  }
  if (evidence.is_static)
    text += evidence.predicted ? ", static and predicted" : ", static";
  return text;
}

/// Weighs the tests and notes those that could be judged.
double Weigh(const Idea& idea, const KernelProfile& evidence, std::vector<std::string>& notes) {
  // One test that holds is enough; several say the same thing in other words.
  bool held = false;
  bool failed = false;
  for (const FigureTest& test : idea.when) {
    const Figure* figure = evidence.Find(test.figure);
    if (figure == nullptr)
      continue;
    const bool holds = test.Holds(figure->value);
    held = held || holds;
    failed = failed || !holds;
    if (holds)
      notes.push_back(FormatFigure(test.figure, *figure));
  }
  if (held)
    return kSpeaksFor;
  return failed ? kSpeaksAgainst : 1;
}

/// 1 without a record, towards 2 with hits, towards 0 with misses (rule of succession, doubled).
double RecordWeight(const IdeaRecord& record) {
  return 2.0 * (record.hits + 1) / (record.tries + 2);
}

IdeaRecord RecordOf(const std::vector<IdeaRecord>& history, const std::string& id) {
  const auto found = std::ranges::find(history, id, &IdeaRecord::idea);
  return found == history.end() ? IdeaRecord{id, 0, 0} : *found;
}

RankedIdea Judge(const Idea& idea, const contract::Contract& contract, const IdeaTarget& target,
                 const KernelProfile& evidence, const std::vector<IdeaRecord>& history) {
  RankedIdea ranked;
  ranked.idea = &idea;
  ranked.record = RecordOf(history, idea.id);
  if (auto why = WhyImpossible(idea, contract, target)) {
    ranked.reason = *std::move(why);
    return ranked;
  }
  const bool own = Addresses(idea, evidence);
  const bool near = !evidence.runner_up.empty() && idea.Answers(evidence.runner_up);
  if (!own && !near && !target.any_verdict) {
    std::vector<std::string> answers = idea.also;
    answers.insert(answers.begin(), idea.bottleneck);
    ranked.reason = fmt::format("it answers {}, and the kernel is {}", fmt::join(answers, ", "),
                                evidence.bottleneck);
    return ranked;
  }
  if (auto why = WhyPointless(idea, evidence)) {
    ranked.reason = *std::move(why);
    return ranked;
  }
  ranked.applicable = true;
  ranked.expected_gain = GainOf(idea.gain, evidence);
  std::vector<std::string> notes{VerdictLine(evidence)};
  double weight = Weigh(idea, evidence, notes) * RecordWeight(ranked.record);
  if (!own)
    weight *= near ? kForRunnerUp : kForAnother;
  if (evidence.level == "l2" && idea.bottleneck == "l2")
    weight *= kForLevel;
  ranked.score = (ranked.expected_gain - 1) * weight;
  if (!own) {
    notes.push_back(near ? "near " + evidence.runner_up
                         : "it answers " + idea.bottleneck + ": nothing else is left to try");
  }
  ranked.evidence = fmt::format("{}", fmt::join(notes, ", "));
  return ranked;
}

}  // namespace

double GainOf(const contract::ExpectedGain& gain, const KernelProfile& evidence) {
  const Figure* figure = gain.figure.empty() ? nullptr : evidence.Find(gain.figure);
  if (figure == nullptr)
    return gain.guess;
  const double won = gain.share * std::clamp(figure->value, 0.0, 99.0) / 100;
  return std::clamp(1 / (1 - std::min(won, 0.99)), 1.0, gain.most);
}

std::vector<RankedIdea> RankIdeas(const contract::Contract& contract, const IdeaTarget& target,
                                  const KernelProfile& evidence,
                                  const std::vector<IdeaRecord>& history) {
  std::vector<RankedIdea> ranked;
  for (const Idea& idea : contract.ideas) {
    ranked.push_back(Judge(idea, contract, target, evidence, history));
  }
  std::ranges::stable_sort(ranked, [](const RankedIdea& a, const RankedIdea& b) {
    if (a.applicable != b.applicable)
      return a.applicable;
    return a.applicable && a.score > b.score;
  });
  return ranked;
}

}  // namespace croq::profile
