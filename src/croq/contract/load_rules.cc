#include "croq/contract/load_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace croq::contract {
namespace {

const std::array<std::string, 3> kKinds{"constant", "option", "problem"};
const std::array<std::string, 5> kZones{"module", "jit", "hot", "cold", "launch"};

void ReadZones(TableReader& table, NameRule& rule) {
  if (table.ArrayOrNone("zones") == nullptr)
    return;
  rule.zones = table.Texts("zones");
  for (const std::string& zone : rule.zones) {
    if (std::ranges::find(kZones, zone) == kZones.end())
      table.Complain("zones", fmt::format("'{}' is no zone; there are {}", zone,
                                          fmt::join(kZones, ", ")));
  }
}

std::vector<NameRule> ReadNameRules(std::vector<TableReader> tables, bool forbidden) {
  std::vector<NameRule> rules;
  for (TableReader& table : tables) {
    NameRule rule;
    rule.text = table.Text("text");
    rule.names = table.Texts("names");
    rule.why = table.TextOr("why", "");
    rule.code = table.TextOr("code", "");
    ReadZones(table, rule);
    if (forbidden)
      rule.baseline_only = table.FlagOr("baseline_only", false);
    rule.beyond_contract = table.FlagOr("beyond_contract", false);
    if (rule.names.empty())
      table.Complain("names", "'names' must name something");
    for (const std::string& name : rule.names) {
      if (name.find('*') < name.size() - 1) {
        table.Complain("names", fmt::format("'{}': a * stands only at the end of a name", name));
      }
    }
    table.Finish();
    rules.push_back(std::move(rule));
  }
  return rules;
}

bool IsPowerOfTwo(std::int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// The values of one array; `numbers` is set by the first value of all.
void ReadChoices(TableReader& table, std::string_view key, bool beyond, bool powers_of_two,
                 std::vector<LeverChoice>& choices) {
  const TomlNode* array = table.ArrayOrNone(key);
  if (array == nullptr)
    return;
  for (const TomlNode& node : array->children) {
    LeverValue value;
    if (node.kind == TomlNode::Kind::kInteger) {
      value = node.integer;
    } else if (node.kind == TomlNode::Kind::kString && !node.text.empty()) {
      value = node.text;
    } else {
      table.ComplainAt(node.at, fmt::format("'{}' holds whole numbers or words, but this is {}",
                                            key, NameOf(node.kind)));
      continue;
    }
    if (!choices.empty() && choices.front().value.index() != value.index()) {
      table.ComplainAt(node.at, fmt::format("'{}' mixes numbers and words", key));
    } else if (std::ranges::any_of(
                   choices, [&](const LeverChoice& choice) { return choice.value == value; })) {
      table.ComplainAt(node.at, fmt::format("value {} stands twice", ToText(value)));
    } else if (node.kind == TomlNode::Kind::kInteger && node.integer < 0) {
      table.ComplainAt(node.at, fmt::format("value {} is below 0", node.integer));
    } else if (powers_of_two && !IsPowerOfTwo(node.integer)) {
      table.ComplainAt(node.at, fmt::format("value {} is not a power of two", ToText(value)));
    } else {
      choices.push_back({value, beyond});
    }
  }
}

LeverRule ReadLever(TableReader& table) {
  LeverRule lever;
  lever.name = table.Text("name");
  const std::string kind = table.OneOf("kind", kKinds);
  lever.kind = kind == "option"    ? LeverKind::kOption
               : kind == "problem" ? LeverKind::kProblem
                                   : LeverKind::kConstant;
  lever.beyond_contract = table.FlagOr("beyond_contract", false);
  lever.text = table.TextOr("text", "");
  if (lever.text.empty() && !lever.beyond_contract) {
    table.Complain("text", fmt::format("lever '{}' needs the contract's 'text', or "
                                       "beyond_contract = true",
                                       lever.name));
  }
  lever.meaning = table.Text("meaning");
  lever.needs_compute_capability =
      static_cast<int>(table.IntegerOr("needs_compute_capability", 0, 0));
  const bool powers_of_two = table.FlagOr("powers_of_two", false);
  const bool noted = table.ArrayOrNone("values") != nullptr || table.ArrayOrNone("more") != nullptr;
  ReadChoices(table, "values", lever.beyond_contract, powers_of_two, lever.choices);
  ReadChoices(table, "more", true, powers_of_two, lever.choices);
  if (lever.choices.empty()) {
    table.Complain(noted ? "values" : "name", fmt::format("lever '{}' has no values", lever.name));
  }
  const bool numbers = !lever.choices.empty() && lever.choices.front().value.index() == 0;
  if (numbers)
    std::ranges::stable_sort(lever.choices, {}, &LeverChoice::value);
  table.Finish();
  return lever;
}

}  // namespace

void ReadPurity(TableReader& file, Contract& contract) {
  TableReader purity = file.Table("purity");
  contract.purity.kernel_decorator = purity.Text("kernel_decorator");
  contract.purity.autotune_decorator = purity.Text("autotune_decorator");
  if (purity.ArrayOrNone("known_modules") != nullptr)
    contract.purity.known_modules = purity.Texts("known_modules");
  contract.purity.allowed = ReadNameRules(purity.Tables("allowed"), false);
  contract.purity.forbidden = ReadNameRules(purity.Tables("forbidden"), true);
  contract.purity.methods = ReadNameRules(purity.TablesOrNone("methods"), false);
  purity.Finish();
}

void ReadLevers(TableReader& file, Contract& contract) {
  for (TableReader& table : file.Tables("lever")) {
    LeverRule lever = ReadLever(table);
    if (contract.FindLever(lever.name) != nullptr) {
      table.Complain("name", fmt::format("lever '{}' stands twice", lever.name));
    }
    contract.levers.push_back(std::move(lever));
  }
}

void ReadReadings(TableReader& file, Contract& contract) {
  for (TableReader& table : file.TablesOrNone("reading")) {
    contract.readings.push_back({table.Text("id"), table.Text("section"), table.Text("contract"),
                                 table.Text("problem"), table.Text("reading"),
                                 table.TextOr("code", "")});
    table.Finish();
  }
}

}  // namespace croq::contract
