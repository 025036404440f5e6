#include "croq/cli/session_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>


namespace croq::cli {
namespace {

std::int64_t LastChange(const journal::SessionEntry& entry) {
  return entry.summary ? entry.summary->last_millis : -1;
}

std::string Listing(const std::vector<std::string>& names) {
  return fmt::format("\n  {}", fmt::join(names, "\n  "));
}

Result<std::size_t> PickIndex(const std::vector<journal::SessionEntry>& entries,
                              const std::string& text) {
  if (text.empty()) {
    const auto newest = std::ranges::max_element(entries, {}, LastChange);
    return static_cast<std::size_t>(newest - entries.begin());
  }
  std::vector<std::string> names;
  for (const journal::SessionEntry& entry : entries) {
    names.push_back(journal::SessionName(entry.paths));
  }
  const std::vector<std::size_t> found = journal::MatchSessions(names, text);
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return UsageFailure(fmt::format("no session is called '{}'; there are{}", text,
                                    Listing(names)));
  }
  std::vector<std::string> candidates;
  for (const std::size_t index : found) candidates.push_back(names[index]);
  return UsageFailure(fmt::format("'{}' may be any of these, name more of it:{}", text,
                                  Listing(candidates)));
}

}  // namespace

Result<journal::SessionEntry> ChooseSession(const std::filesystem::path& out,
                                            const std::string& text) {
  CROQ_ASSIGN(std::vector<journal::SessionEntry> entries, journal::ListSessions(out));
  if (entries.empty()) {
    return UsageFailure(fmt::format("there are no sessions below {}: make one with croq tune "
                                    "SHAPE_KEY, or name the folder that holds tuning/ with --out",
                                    (out / "tuning").string()));
  }
  CROQ_ASSIGN(const std::size_t index, PickIndex(entries, text));
  if (!entries[index].problem.empty()) return Failure(entries[index].problem);
  return std::move(entries[index]);
}

bool LooksLikeIteration(const std::string& text) {
  constexpr std::string_view kPrefix = "iter";
  if (!text.starts_with(kPrefix)) return false;
  const std::size_t end = std::min(text.find('_'), text.size());
  const std::string_view digits = std::string_view(text).substr(kPrefix.size(),
                                                                end - kPrefix.size());
  return digits.size() >= 3 &&
         std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

Result<Iteration> ChooseIteration(const journal::Queries& read, const std::string& name) {
  CROQ_ASSIGN(const std::vector<Iteration> iterations, read.Iterations());
  std::vector<std::string> names;
  for (const Iteration& iteration : iterations) {
    if (name == iteration.Name() || name == IterationName(iteration.number)) return iteration;
    names.push_back(iteration.Name());
  }
  if (names.empty()) {
    return UsageFailure(fmt::format("there is no {}: the session has no iterations yet", name));
  }
  CROQ_ASSIGN(const journal::SessionSummary summary, read.Summary());
  return UsageFailure(fmt::format("there is no {} in the session of {} (--session picks another); "
                                  "it has{}", name, summary.info.shape_key, Listing(names)));
}

}  // namespace croq::cli
