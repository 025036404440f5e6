#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "croq/contract/load_rules.h"

namespace croq::contract {
namespace {

struct Known {
  const char* name;
  double ClassifyRule::*member;
};

constexpr std::array<Known, 16> kKnown{{
    {"high", &ClassifyRule::high},
    {"low", &ClassifyRule::low},
    {"balanced", &ClassifyRule::balanced},
    {"balanced_high", &ClassifyRule::balanced_high},
    {"largest", &ClassifyRule::largest},
    {"full_wave", &ClassifyRule::full_wave},
    {"busy_share", &ClassifyRule::busy_share},
    {"short_us", &ClassifyRule::short_us},
    {"unsteady_us", &ClassifyRule::unsteady_us},
    {"host_ratio", &ClassifyRule::host_ratio},
    {"level", &ClassifyRule::level},
    {"near", &ClassifyRule::near},
    {"near_share", &ClassifyRule::near_share},
    {"tail", &ClassifyRule::tail},
    {"conflicts", &ClassifyRule::conflicts},
    {"stalls_shown", &ClassifyRule::stalls_shown},
}};

void ReadThreshold(TableReader& table, const std::vector<std::string>& names, ClassifyRule& rule) {
  const std::string name = table.OneOf("name", names);
  const double value = table.Positive("value");
  const std::string unit = table.Text("unit");
  const std::string meaning = table.Text("meaning");
  const std::string source = table.Text("source");
  table.Finish();
  const auto known =
      std::ranges::find_if(kKnown, [&](const Known& entry) { return name == entry.name; });
  if (known == kKnown.end())
    return;
  const bool twice = std::ranges::any_of(
      rule.thresholds, [&](const Threshold& threshold) { return threshold.name == name; });
  if (twice)
    table.Complain("name", fmt::format("threshold '{}' stands twice", name));
  rule.*known->member = value;
  rule.thresholds.push_back({name, value, unit, meaning, source});
}

}  // namespace

void ReadClassify(TableReader& file, Contract& contract) {
  TableReader table = file.Table("classify");
  ClassifyRule& rule = contract.classify;
  table.FlagOr("beyond_contract", true);
  rule.text = table.Text("text");
  std::vector<std::string> names;
  for (const Known& known : kKnown) names.emplace_back(known.name);
  for (TableReader& threshold : table.Tables("threshold")) ReadThreshold(threshold, names, rule);
  for (const std::string& name : names) {
    const bool there = std::ranges::any_of(
        rule.thresholds, [&](const Threshold& threshold) { return threshold.name == name; });
    if (!there)
      table.Complain("text", fmt::format("threshold '{}' is missing: [classify] needs a "
                                         "[[classify.threshold]] of that name",
                                         name));
  }
  if (rule.high > 0 && rule.low > rule.high) {
    table.Complain("threshold", fmt::format("'low' is {}, but must not be above 'high', {}",
                                            rule.low, rule.high));
  }
  table.Finish();
}

}  // namespace croq::contract
