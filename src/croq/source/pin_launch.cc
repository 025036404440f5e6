#include <fmt/format.h>

#include <algorithm>

#include "croq/source/gaps.h"
#include "croq/source/pin_parts.h"
#include "croq/source/tune_settings.h"

namespace croq::source {
namespace {

/// Whether anything in the file reads num_ctas by name: then it is passed even at its default.
bool ReadsCtas(const PinWork& work, const PinGroup& group) {
  for (const Autotuned& member : group.members) {
    if (member.parameters && std::find(member.parameters->begin(), member.parameters->end(),
                                       "num_ctas") != member.parameters->end())
      return true;
  }
  bool reads = false;
  Walk(work.tree.root(), [&](const Node& node) {
    reads |= node.IsString() && node.text == "num_ctas";
    return !reads;
  });
  return reads;
}

/// Keyword arguments for one launch, those left out that it has already.
std::string KeywordsFor(const PinWork& work, const PinGroup& group, const Node& call) {
  std::string text;
  const bool with_ctas = ReadsCtas(work, group);
  for (const auto& [name, value] : AllValues(group.config)) {
    const std::string_view key = name;
    const auto keywords = call.Children(Field::kKeywords);
    const bool passed = std::any_of(keywords.begin(), keywords.end(), [&](const Node* keyword) {
      return keyword->text == key;
    });
    if (passed || (name == "num_ctas" && value == "1" && !with_ctas)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

/// How many parameters come before `name`; nothing where the kernel's are not known.
std::optional<std::size_t> PositionOf(const PinGroup& group, const std::string& name) {
  const auto& parameters = group.members.front().parameters;
  if (!parameters) return std::nullopt;
  const auto found = std::find(parameters->begin(), parameters->end(), name);
  if (found == parameters->end()) return std::nullopt;
  return static_cast<std::size_t>(found - parameters->begin());
}

}  // namespace

const Node* LaunchArgument(const PinGroup& group, const Node& call, const std::string& parameter) {
  for (const Node* keyword : call.Children(Field::kKeywords)) {
    if (keyword->text == parameter) return keyword->Child(Field::kValue);
  }
  const auto position = PositionOf(group, parameter);
  const auto positional = call.Children(Field::kArgs);
  if (!position || *position >= positional.size()) return nullptr;
  const bool counted = std::none_of(
      positional.begin(), positional.begin() + static_cast<std::ptrdiff_t>(*position) + 1,
      [](const Node* argument) { return argument->Is(Kind::kStarred); });
  return counted ? positional[*position] : nullptr;
}

Status CheckLaunch(const PinWork& work, const PinGroup& group, const Node& call) {
  const auto positional = call.Children(Field::kArgs);
  const bool counted = std::none_of(positional.begin(), positional.end(), [](const Node* argument) {
    return argument->Is(Kind::kStarred);
  });
  for (const auto& [name, value] : AllValues(group.config)) {
    const auto position = PositionOf(group, name);
    if (counted && position && *position < positional.size()) {
      return work.Refuse(*positional[*position],
                         fmt::format("this launch of '{}' passes '{}' itself, by position; the "
                                     "autotuner refuses that, so one of the two must go",
                                     group.name, name));
    }
    for (const Node* keyword : call.Children(Field::kKeywords)) {
      if (keyword->text != name) continue;
      const Node& given = Followed(work.names, *keyword->Child(Field::kValue));
      if (work.tree.Text(given) == value) continue;
      return work.Refuse(*keyword,
                         fmt::format("this launch of '{}' passes {} itself; the autotuner refuses "
                                     "that, and croq would have {}={} there: drop the argument or "
                                     "pin that value", group.name, work.tree.Text(*keyword), name,
                                     value));
    }
  }
  return {};
}

Status EditLaunch(PinWork& work, const PinGroup& group, const LaunchDuties& duties,
                  const std::vector<Use>& uses, const Node& call) {
  if (duties.hook != nullptr) CROQ_TRY(CallHook(work, group, *duties.hook, call));
  for (const std::string& name : duties.zeroed) {
    CROQ_TRY(ZeroArgument(work, group, name, uses, call));
  }
  const std::string keywords = KeywordsFor(work, group, call);
  if (keywords.empty()) return {};
  const auto place = PlaceOfNextArgument(work.tree, call);
  if (!place) {
    return work.Refuse(call, "a generator is this launch's only argument; put brackets around it");
  }
  work.edits.Insert(place->offset, (place->first ? "" : ", ") + keywords,
                    fmt::format("launches '{}' with {}", group.name, keywords));
  return {};
}

}  // namespace croq::source
