#include "croq/cli/iteration_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "croq/base/files.h"
#include "croq/model/config.h"

namespace croq::cli {
namespace {

void ReadSass(const SessionPaths& paths, const SassReader* reader, IterationFacts& facts) {
  const std::string name = facts.iteration.Name();
  std::error_code ignored;
  if (!std::filesystem::exists(paths.Cubin(name, 0), ignored)) {
    facts.no_sass = facts.iteration.number == 0
                        ? "the baseline is the library's kernel: croq has no cubin of it"
                        : fmt::format("no cubin was kept ({})", paths.Cubin(name, 0).string());
    return;
  }
  if (reader == nullptr) {
    facts.no_sass = "not asked for";
    return;
  }
  profile::SassMix whole;
  for (std::size_t kernel = 0; std::filesystem::exists(paths.Cubin(name, kernel), ignored);
       ++kernel) {
    const Result<profile::SassMix> mix = reader->Read(paths.Cubin(name, kernel));
    if (!mix) {
      facts.no_sass = mix.error().message;
      return;
    }
    whole.total += mix->total;
    for (const auto& [key, count] : mix->classes) whole.classes[key] += count;
    for (const auto& [key, count] : mix->opcodes) whole.opcodes[key] += count;
  }
  facts.sass = std::move(whole);
}

std::map<std::string, std::string> Levers(const std::string& text) {
  std::map<std::string, std::string> levers;
  const Result<Config> config = ParseConfig(text);
  if (!config) return {{"kernel", text}};
  for (const auto& [name, value] : config->values) levers[name] = ToText(value);
  return levers;
}

std::string VariantOf(const std::string& text) { return text.substr(0, text.find(' ')); }

}  // namespace

Result<IterationFacts> ReadIterationFacts(const SessionPaths& paths, const journal::Queries& read,
                                          const Iteration& iteration, const SassReader* reader) {
  IterationFacts facts;
  facts.iteration = iteration;
  CROQ_ASSIGN(const std::vector<journal::Idea> ideas, read.Ideas());
  const auto idea = std::ranges::find(ideas, IterationName(iteration.number), &journal::Idea::iter);
  if (idea != ideas.end()) facts.idea = *idea;
  CROQ_ASSIGN(const std::optional<std::string> profile, read.ProfileText(iteration.config));
  if (profile) {
    Result<profile::KernelProfile> read_back = profile::KernelProfileFromJson(*profile);
    if (read_back) facts.profile = *std::move(read_back);
  }
  facts.source = ReadFile(paths.Source(iteration.Name())).value_or("");
  ReadSass(paths, reader, facts);
  return facts;
}

std::optional<Iteration> ParentOf(const std::vector<Iteration>& iterations,
                                  const IterationFacts& facts) {
  std::optional<Iteration> parent;
  for (const Iteration& one : iterations) {
    if (one.number >= facts.iteration.number || one.number == 0) continue;
    if (facts.idea && !facts.idea->base.empty()) {
      if (one.config == facts.idea->base) return one;
    }
    if (one.decision == Decision::kKeep) parent = one;
  }
  return parent;
}

std::vector<LeverChange> CompareConfigs(const std::string& before, const std::string& after) {
  std::vector<LeverChange> changes;
  if (VariantOf(before) != VariantOf(after))
    changes.push_back({"variant", VariantOf(before), VariantOf(after)});
  const auto old_levers = Levers(before);
  const auto new_levers = Levers(after);
  std::map<std::string, LeverChange> by_name;
  for (const auto& [name, value] : old_levers) by_name[name] = {name, value, ""};
  for (const auto& [name, value] : new_levers) {
    by_name[name].lever = name;
    by_name[name].after = value;
  }
  for (auto& [name, change] : by_name) {
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace croq::cli
