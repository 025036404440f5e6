#include "croq/contract/contract.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "croq/base/suggest.h"

namespace croq::contract {
namespace {

template <typename Range>
auto FindByName(const Range& range, std::string_view name) -> decltype(&range.front()) {
  const auto found =
      std::ranges::find_if(range, [&](const auto& entry) { return entry.name == name; });
  return found == range.end() ? nullptr : &*found;
}

}  // namespace

const Package* Environment::FindPackage(std::string_view name) const {
  return FindByName(packages, name);
}

std::string_view NameOf(LeverKind kind) {
  switch (kind) {
    case LeverKind::kConstant:
      return "constant";
    case LeverKind::kOption:
      return "option";
    case LeverKind::kProblem:
      return "problem";
  }
  return "";
}

bool LeverRule::Allows(const LeverValue& value) const {
  return std::ranges::any_of(choices,
                             [&](const LeverChoice& choice) { return choice.value == value; });
}

Lever LeverRule::AsLever() const {
  Lever lever{name, {}};
  for (const LeverChoice& choice : choices) lever.values.push_back(choice.value);
  return lever;
}

bool Idea::Answers(std::string_view verdict) const {
  return bottleneck == verdict || std::ranges::find(also, verdict) != also.end();
}

std::optional<double> Contract::ToleranceOf(DType dtype) const {
  for (const Tolerance& tolerance : verify.tolerances) {
    if (tolerance.dtype == dtype)
      return tolerance.max_abs_err;
  }
  return std::nullopt;
}

const LeverRule* Contract::FindLever(std::string_view name) const {
  return FindByName(levers, name);
}

std::vector<const Idea*> Contract::IdeasFor(std::string_view bottleneck) const {
  std::vector<const Idea*> found;
  for (const Idea& idea : ideas) {
    if (idea.bottleneck == bottleneck)
      found.push_back(&idea);
  }
  return found;
}

std::vector<std::string> ListContracts(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".toml")
      names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

Result<Contract> FindContract(const std::filesystem::path& folder, std::string_view dsl) {
  const std::vector<std::string> names = ListContracts(folder);
  if (names.empty()) {
    return Failure(
        fmt::format("there is no contract in {}: croq is not installed whole; install "
                    "it again",
                    folder.string()));
  }
  if (std::ranges::find(names, dsl) == names.end()) {
    const std::string near = Suggest(dsl, names);
    return UsageFailure(fmt::format("unknown DSL '{}'; there {}: {}{}", dsl,
                                    names.size() == 1 ? "is" : "are", fmt::join(names, ", "),
                                    near.empty() ? "" : " (did you mean " + near + "?)"));
  }
  return LoadContract(folder / fmt::format("{}.toml", dsl));
}

}  // namespace croq::contract
