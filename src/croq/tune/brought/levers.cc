#include "croq/tune/brought/levers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "croq/base/suggest.h"
#include "croq/source/autotuned.h"
#include "croq/source/literal.h"
#include "croq/source/outline.h"
#include "croq/source/tune_callables.h"
#include "croq/source/tune_settings.h"
#include "croq/tune/brought/literals.h"

namespace croq::tune {
namespace {

using source::Autotuned;
using source::Node;
using source::PinConfig;
using source::SyntaxTree;

// triton.Config's own, where a configuration does not say.
constexpr std::pair<const char*, std::int64_t> kOptions[] = {
    {"num_warps", 4}, {"num_stages", 3}, {"num_ctas", 1}};
constexpr std::int64_t kMostWarps = 32;
constexpr std::int64_t kMostStages = 8;
constexpr std::int64_t kLeastBlock = 16;
constexpr std::int64_t kMostBlock = 1 << 16;

bool IsPowerOfTwo(std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

void Include(std::vector<LeverValue>& values, const LeverValue& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

/// Numbers in order, so that neighbours differ by one place; words behind them as they came.
void Order(std::vector<LeverValue>& values) {
  std::stable_sort(values.begin(), values.end(), [](const LeverValue& a, const LeverValue& b) {
    const auto* left = std::get_if<std::int64_t>(&a);
    const auto* right = std::get_if<std::int64_t>(&b);
    if (left == nullptr || right == nullptr) return left != nullptr && right == nullptr;
    return *left < *right;
  });
}

/// One place further on both ends. Only powers of two have a next one.
void Widen(Lever& lever, std::string_view key) {
  std::vector<std::int64_t> numbers;
  for (const LeverValue& value : lever.values) {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) return;
    numbers.push_back(*number);
  }
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  if (key == "num_stages") {
    if (*least > 1) Include(lever.values, *least - 1);
    if (*most < kMostStages) Include(lever.values, *most + 1);
  } else if (key != "num_ctas" && std::all_of(numbers.begin(), numbers.end(), IsPowerOfTwo)) {
    const bool warps = key == "num_warps";
    if (*least > (warps ? 1 : kLeastBlock)) Include(lever.values, *least / 2);
    if (*most < (warps ? kMostWarps : kMostBlock)) Include(lever.values, *most * 2);
  }
}

/// The levers of one autotuner.
class AutotunerLevers {
 public:
  AutotunerLevers(const SyntaxTree& tree, const source::Names& names, const Autotuned& autotuned,
                  const source::ReadMadeLists& made)
      : tree_(tree), names_(names), autotuned_(autotuned), made_(made) {}

  Result<std::vector<BroughtLever>> Read() {
    CROQ_ASSIGN(const std::vector<PinConfig> configs, Configs());
    std::vector<BroughtLever> levers;
    for (const auto& [name, value] : configs.front().constants) {
      CROQ_ASSIGN(BroughtLever lever, Constant(name, configs));
      levers.push_back(std::move(lever));
    }
    for (const PinConfig& config : configs) {
      if (config.constants.size() == configs.front().constants.size()) continue;
      return Wrong("its configurations do not all give the same constants, so their values can't be "
                   "combined; give each the same names, or CROQ a \"levers\"");
    }
    for (const auto& [name, absent] : kOptions) {
      BroughtLever lever{{name, {}}, absent, LeverHome::kAutotune, {}};
      for (const PinConfig& config : configs) {
        const std::string_view text = config.Value(name);
        const std::optional<LeverValue> value = text.empty() ? LeverValue(absent) : WordOf(text);
        if (value) Include(lever.lever.values, *value);
        if (&config == &configs.front() && value) lever.first = *value;
      }
      const bool one_cta = std::string_view(name) == "num_ctas" &&
                           lever.lever.values == std::vector<LeverValue>{std::int64_t{1}};
      if (!one_cta) levers.push_back(std::move(lever));
    }
    return levers;
  }

 private:
  tl::unexpected<Error> Wrong(const std::string& what) const {
    return source::WrongAt(tree_, autotuned_.place(),
                           fmt::format("the autotuner of {}: {}", autotuned_.name, what));
  }

  Result<std::vector<PinConfig>> Configs() const {
    if (autotuned_.settings == nullptr) return Wrong("its settings can't be found");
    const Node* list = source::ArgumentOf(*autotuned_.settings, "configs", 0);
    if (list == nullptr) return Wrong("it is given no configs");
    const auto calls = source::LiteralConfigs(tree_, names_, *list);
    if (!calls || calls->empty()) return Derived();
    std::vector<PinConfig> configs;
    for (const Node* call : *calls) {
      Result<PinConfig> config = source::ReadConfig(tree_, names_, *call);
      if (!config && made_) return Made();  // a value that is computed
      if (!config) return tl::unexpected(std::move(config).error());
      configs.push_back(std::move(*config));
    }
    return configs;
  }

  /// What follows from literals alone: comprehensions, products.
  Result<std::vector<PinConfig>> Derived() const {
    const source::Outline outline = source::MakeOutline(tree_, names_);
    const auto found = std::find_if(
        outline.autotunes.begin(), outline.autotunes.end(),
        [&](const source::AutotuneInfo& one) { return one.call == autotuned_.settings; });
    if (found == outline.autotunes.end() || !found->configs_known || found->configs.empty()) {
      if (made_) return Made();
      return Wrong("its configurations are computed when the file runs; write them out as "
                   "triton.Config(...) or as a comprehension over literals");
    }
    std::vector<PinConfig> configs;
    for (const source::ConfigInfo& info : found->configs) {
      PinConfig config;
      for (const auto* settings : {&info.kwargs, &info.options}) {
        for (const source::Setting& setting : *settings) {
          if (!setting.literal && made_) return Made();
          if (!setting.literal) return Wrong(setting.name + " is no literal");
          CROQ_TRY(source::AddValue(config, setting.name, source::ToText(*setting.literal)));
        }
      }
      configs.push_back(std::move(config));
    }
    return configs;
  }

  /// What the file makes when it is imported.
  Result<std::vector<PinConfig>> Made() const {
    CROQ_ASSIGN(const std::vector<source::MadeList> lists, made_());
    CROQ_ASSIGN(const source::MadeList list, source::MadeListOf(tree_, autotuned_, lists));
    if (list.configs.empty()) return Wrong("it has no configurations once the file is imported");
    const source::ConfigHooks hooks = source::HooksOf(
        tree_, names_, *source::ArgumentOf(*autotuned_.settings, "configs", 0));
    std::vector<PinConfig> configs;
    for (const source::MadeConfig& config : list.configs) {
      if (!config.problem.empty()) return Wrong(config.problem);
      if (config.pre_hook != list.configs.front().pre_hook ||
          (config.pre_hook && (hooks.hooks.size() != 1 || hooks.unread != nullptr)))
        return Wrong("which pre_hook its configurations have can't be seen in the file");
      configs.push_back(config.values);
    }
    return configs;
  }

  Result<BroughtLever> Constant(const std::string& name, const std::vector<PinConfig>& configs) const {
    BroughtLever lever{{name, {}}, std::int64_t{0}, LeverHome::kAutotune, {}};
    for (const PinConfig& config : configs) {
      const std::string_view text = config.Value(name);
      if (text.empty()) return Wrong(fmt::format("a configuration has no {}", name));
      const std::optional<LeverValue> value = WordOf(text);
      if (!value) return Wrong(fmt::format("{}={} has a blank and can't be a lever", name, text));
      Include(lever.lever.values, *value);
      if (&config == &configs.front()) lever.first = *value;
    }
    return lever;
  }

  const SyntaxTree& tree_;
  const source::Names& names_;
  const Autotuned& autotuned_;
  const source::ReadMadeLists& made_;
};

std::vector<std::string> NamesOf(const std::vector<BroughtLever>& levers,
                                 const std::vector<NamedLiteral>& literals) {
  std::vector<std::string> names;
  for (const BroughtLever& lever : levers) names.push_back(lever.lever.name);
  for (const NamedLiteral& literal : literals) names.push_back(literal.name);
  return names;
}

Status Declare(const SyntaxTree& tree, const std::vector<NamedLiteral>& literals,
               const Lever& declared, std::vector<BroughtLever>& levers) {
  Lever lever = declared;
  for (BroughtLever& one : levers) {
    if (one.lever.name != declared.name) continue;
    Include(lever.values, one.first);
    one.lever = std::move(lever);
    return {};
  }
  for (const NamedLiteral& literal : literals) {
    if (literal.name != declared.name) continue;
    Include(lever.values, literal.value);
    levers.push_back({std::move(lever), literal.value, LeverHome::kLiteral, literal.places});
    return {};
  }
  const std::vector<std::string> known = NamesOf(levers, literals);
  const std::string near = Suggest(declared.name, known);
  return UsageFailure(fmt::format(
      "{}: lever '{}' of CROQ is neither in an autotuner's configurations, nor a module constant, nor "
      "the same literal keyword at every launch{}", tree.path(), declared.name,
      near.empty() ? fmt::format(" (there are {})", fmt::join(known, ", "))
                   : fmt::format("; did you mean '{}'?", near)));
}

/// The contract's levers that the file has as constants, also in capitals (NUM_WARPS).
void AddContractNames(const contract::Contract& contract, const std::vector<NamedLiteral>& literals,
                      std::vector<BroughtLever>& levers) {
  for (const contract::LeverRule& rule : contract.levers) {
    if (rule.kind == contract::LeverKind::kProblem) continue;
    std::string capitals = rule.name;
    std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    for (const NamedLiteral& literal : literals) {
      if (literal.name != rule.name && literal.name != capitals) continue;
      const std::vector<std::string> known = NamesOf(levers, {});
      if (std::find(known.begin(), known.end(), literal.name) != known.end()) continue;
      Lever lever = rule.AsLever();
      lever.name = literal.name;
      Include(lever.values, literal.value);
      levers.push_back({std::move(lever), literal.value, LeverHome::kLiteral, literal.places});
    }
  }
}

}  // namespace

Result<std::vector<BroughtLever>> FindLevers(const SyntaxTree& tree, const source::Names& names,
                                             const contract::Contract& contract,
                                             const LeverOptions& options) {
  std::vector<BroughtLever> levers;
  const std::vector<Autotuned> all = source::FindAutotuned(tree, names);
  for (const Autotuned& autotuned : all) {
    CROQ_ASSIGN(std::vector<BroughtLever> own, AutotunerLevers(tree, names, autotuned, options.made).Read());
    for (BroughtLever& lever : own) {
      if (options.widen) Widen(lever.lever, lever.lever.name);
      if (all.size() > 1) lever.lever.name = autotuned.name + "." + lever.lever.name;
      levers.push_back(std::move(lever));
    }
  }
  const std::vector<NamedLiteral> literals = FindNamedLiterals(tree);
  for (const Lever& declared : options.declared) {
    CROQ_TRY(Declare(tree, literals, declared, levers));
  }
  if (options.contract_names) AddContractNames(contract, literals, levers);
  for (BroughtLever& lever : levers) Order(lever.lever.values);
  if (!levers.empty()) return levers;
  return UsageFailure(fmt::format(
      "{}: there is nothing to tune: no @triton.autotune, no \"levers\" in CROQ and no constant with "
      "the name of a contract's lever (croq contract show {})", tree.path(), contract.dsl.name));
}

}  // namespace croq::tune
