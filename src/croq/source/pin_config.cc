#include "croq/source/pin_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "croq/source/words.h"

namespace croq::source {
namespace {

constexpr std::array kOptions = {
    "num_warps",       "num_ctas",           "num_stages", "maxnreg",    "enable_fp_fusion",
    "enable_reflect_ftz", "launch_cooperative_grid", "launch_pdl", "sanitize_overflow", "debug"};
// AMD's options, and keywords that triton.Config had in 3.0 to 3.3 builds.
constexpr std::array kForeign = {
    "waves_per_eu",           "matrix_instr_nonkdim", "kpack",
    "num_consumer_groups",    "num_buffers_warp_spec", "enable_warp_specialization",
    "reg_dec_producer",       "reg_inc_consumer",     "enable_persistent",
    "schedule_hint",          "allow_flush_denorm",   "grf_mode"};
// What an autotuned launch always passes, in triton.Config's order.
constexpr std::array<std::pair<const char*, const char*>, 3> kAlways = {
    {{"num_warps", "4"}, {"num_ctas", "1"}, {"num_stages", "3"}}};

/// What a person may ask of an option that Triton takes without a word and fails on later.
struct OptionRule {
  const char* name;
  int most;
  bool power_of_two;
  const char* words;
};
constexpr int kAnyNumber = 1 << 20;
constexpr std::array<OptionRule, 4> kOptionRules = {{
    {"num_warps", 32, true, "1, 2, 4, 8, 16 or 32"},
    {"num_ctas", 16, true, "1, 2, 4, 8 or 16"},
    {"num_stages", kAnyNumber, false, "a number from 1"},
    {"maxnreg", kAnyNumber, false, "a number from 1"},
}};

bool IsIdentifier(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
}

bool IsDottedName(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!IsIdentifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

/// Python's decimal, hexadecimal and float literals, with a sign.
bool IsNumber(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty() || !(std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.'))
    return false;
  const std::string copy(text);
  std::size_t used = 0;
  try {
    static_cast<void>(std::stod(copy, &used));
  } catch (const std::exception&) {
    return false;
  }
  const bool leading_zero = text.size() > 1 && text[0] == '0' &&
                            std::isdigit(static_cast<unsigned char>(text[1]));
  return used == copy.size() && !leading_zero;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

/// A value as Python writes it; nothing where it is not understood.
std::optional<std::string> PythonValue(std::string_view text) {
  if (IsNumber(text) || text == "True" || text == "False" || text == "None")
    return std::string(text);
  if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0] &&
      text.substr(1, text.size() - 2).find_first_of("\"'\\\n\r") == std::string_view::npos)
    return std::string(text);
  if (IsIdentifier(text)) return fmt::format("\"{}\"", text);
  if (IsDottedName(text)) return std::string(text);
  return std::nullopt;
}

Status CheckOption(const std::string& name, const std::string& text) {
  const auto rule = std::find_if(kOptionRules.begin(), kOptionRules.end(),
                                 [&](const OptionRule& one) { return name == one.name; });
  if (rule == kOptionRules.end() || text == "None") return {};
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  const bool power = (value & (value - 1)) == 0;
  if (whole && value >= 1 && value <= rule->most && (power || !rule->power_of_two)) return {};
  return UsageFailure(fmt::format("{}={}: it must be {}", name, text, rule->words));
}

/// Parts between commas that stand outside of quotes.
std::vector<std::string_view> SplitParts(std::string_view text) {
  std::vector<std::string_view> parts;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (quote == 0 && text[i] == ',')) {
      parts.push_back(Trim(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (quote != 0) {
      quote = text[i] == quote ? '\0' : quote;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    }
  }
  return parts;
}

/// Splits `kernel.NAME`: the kernel may itself be dotted (Class.kernel).
std::pair<std::string, std::string> SplitKernel(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  if (dot == std::string_view::npos) return {"", std::string(key)};
  return {std::string(key.substr(0, dot)), std::string(key.substr(dot + 1))};
}

}  // namespace

std::string_view PinConfig::Value(std::string_view name) const {
  for (const auto* list : {&constants, &options}) {
    for (const auto& [key, value] : *list) {
      if (key == name) return value;
    }
  }
  return {};
}

KeyKind KindOfKey(std::string_view name) {
  if (name == "ir_override") return KeyKind::kRefused;
  if (Holds(kOptions, name)) return KeyKind::kOption;
  return Holds(kForeign, name) ? KeyKind::kForeign : KeyKind::kConstant;
}

Status AddValue(PinConfig& config, const std::string& name, std::string value) {
  if (!config.Value(name).empty()) return UsageFailure(fmt::format("'{}' is given twice", name));
  switch (KindOfKey(name)) {
    case KeyKind::kRefused:
      return UsageFailure(fmt::format(
          "'{}' replaces the kernel's code by that of a file; such a kernel can't be pinned", name));
    case KeyKind::kForeign:
      config.dropped.push_back(fmt::format(
          "{}={} is left out: an option of another backend or an older Triton, which a launch on an "
          "NVIDIA GPU refuses", name, value));
      return {};
    case KeyKind::kOption:
      if (value != "None") config.options.emplace_back(name, std::move(value));
      return {};
    case KeyKind::kConstant:
      config.constants.emplace_back(name, std::move(value));
      return {};
  }
  return {};
}

Result<PinConfigs> ParsePinConfigs(std::string_view text) {
  PinConfigs configs;
  for (const std::string_view part : SplitParts(text)) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const std::string_view key = Trim(part.substr(0, equals));
    if (equals == std::string_view::npos || !IsDottedName(key)) {
      return UsageFailure(fmt::format(
          "'{}' is no NAME=VALUE; a configuration is written BLOCK_M=128,num_warps=8", part));
    }
    const auto value = PythonValue(Trim(part.substr(equals + 1)));
    if (!value) {
      return UsageFailure(fmt::format(
          "'{}': the value is no number, True, False, None, name or quoted text", part));
    }
    const auto [kernel, name] = SplitKernel(key);
    CROQ_TRY(CheckOption(name, *value));
    CROQ_TRY(AddValue(configs[kernel], name, *value));
  }
  if (configs.empty()) {
    return UsageFailure("the configuration is empty; it is written BLOCK_M=128,num_warps=8");
  }
  return configs;
}

Result<PinConfigs> PinConfigsOf(const Config& config) {
  PinConfigs configs;
  for (const auto& [lever, value] : config.values) {
    const auto [kernel, name] = SplitKernel(lever);
    const auto* word = std::get_if<std::string>(&value);
    const auto python = PythonValue(croq::ToText(value));
    if (!python) {
      return UsageFailure(fmt::format("lever {}={} can't be written as Python", lever,
                                      word != nullptr ? *word : croq::ToText(value)));
    }
    CROQ_TRY(AddValue(configs[kernel], name, *python));
  }
  return configs;
}

std::vector<std::pair<std::string, std::string>> AllValues(const PinConfig& config) {
  auto all = config.constants;
  for (const auto& [name, standard] : kAlways) {
    const std::string_view given = config.Value(name);
    all.emplace_back(name, given.empty() ? standard : given);
  }
  for (const auto& [name, value] : config.options) {
    if (std::none_of(kAlways.begin(), kAlways.end(),
                     [&](const auto& always) { return always.first == name; }))
      all.emplace_back(name, value);
  }
  return all;
}

std::string LaunchKeywords(const PinConfig& config, bool with_ctas) {
  std::string text;
  for (const auto& [name, value] : AllValues(config)) {
    if (name == "num_ctas" && value == "1" && !with_ctas) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

}  // namespace croq::source
