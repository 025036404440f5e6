#include "croq/source/purity/rules.h"

#include <algorithm>

namespace croq::source::purity {
namespace {

constexpr std::string_view kZoneNames[] = {"module", "jit", "hot", "cold", "launch"};

/// Modules of Triton's that its own modules have imported.
constexpr std::string_view kInner[] = {"core",     "semantic", "knobs",  "runtime",
                                       "compiler", "ir",       "driver", "libtriton"};

std::uint8_t Bit(Zone zone) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(zone));
}

std::uint8_t MaskOf(const std::vector<std::string>& zones) {
  if (zones.empty())
    return static_cast<std::uint8_t>(~Bit(Zone::kLaunch));
  std::uint8_t mask = 0;
  for (std::size_t index = 0; index < std::size(kZoneNames); ++index) {
    if (std::ranges::find(zones, kZoneNames[index]) != zones.end())
      mask |= Bit(static_cast<Zone>(index));
  }
  return mask;
}

}  // namespace

Rules::Rules(const contract::Purity& contract) : contract_(contract) {
  for (const contract::NameRule& rule : contract.forbidden) Add(rule, true);
  for (const contract::NameRule& rule : contract.allowed) Add(rule, false);
  for (const contract::NameRule& rule : contract.methods) {
    const bool forbidden = rule.code.starts_with('E');
    for (const std::string& name : rule.names) {
      methods_.emplace(name, Ruling{forbidden ? Ruling::Verdict::kForbidden
                                              : Ruling::Verdict::kAllowed,
                                    rule.baseline_only, rule.code, rule.text});
    }
  }
  modules_.insert(contract.known_modules.begin(), contract.known_modules.end());
}

void Rules::Add(const contract::NameRule& rule, bool forbidden) {
  const Entry entry{MaskOf(rule.zones),
                    {forbidden ? Ruling::Verdict::kForbidden : Ruling::Verdict::kAllowed,
                     rule.baseline_only, rule.code, rule.text}};
  for (const std::string& name : rule.names) {
    const std::string_view text = name;
    if (!text.ends_with('*')) {
      exact_[text].push_back(entry);
      continue;
    }
    prefixes_[text.substr(0, text.size() - 1)].push_back(entry);
    if (text.ends_with(".*"))
      exact_[text.substr(0, text.size() - 2)].push_back(entry);
  }
}

const Ruling* Rules::Find(const Table& table, std::string_view name, std::uint8_t zone) {
  const auto found = table.find(name);
  if (found == table.end())
    return nullptr;
  for (const Entry& entry : found->second) {
    if ((entry.zones & zone) != 0)
      return &entry.ruling;
  }
  return nullptr;
}

Ruling Rules::Of(Zone zone, std::string_view name) const {
  const std::uint8_t bit = Bit(zone);
  if (const Ruling* ruling = Find(exact_, name, bit))
    return *ruling;
  for (std::size_t size = name.size(); size > 0; --size) {
    const Ruling* ruling = Find(prefixes_, name.substr(0, size), bit);
    if (ruling == nullptr)
      continue;
    const bool allowed = ruling->verdict == Ruling::Verdict::kAllowed;
    return allowed && PassesThroughModule(name.substr(size)) ? Ruling{} : *ruling;
  }
  return {};
}

bool Rules::PassesThroughModule(std::string_view rest) const {
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('.'));
    if (modules_.contains(part) || std::ranges::find(kInner, part) != std::end(kInner))
      return true;
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return false;
}

Ruling Rules::Method(std::string_view name) const {
  const auto found = methods_.find(name);
  return found == methods_.end() ? Ruling{} : found->second;
}

bool Rules::IsJit(std::string_view name) const {
  return name == contract_.kernel_decorator || name == "triton.runtime.jit" ||
         name == "triton.runtime.jit.jit" || name == "triton.experimental.gluon.jit";
}

bool Rules::IsKnownModule(std::string_view name) const {
  return modules_.contains(name.substr(0, name.find('.')));
}

}  // namespace croq::source::purity
