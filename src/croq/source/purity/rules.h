#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "croq/contract/contract.h"

/// Inside the module: the contract's lists of names, ready to be asked.
namespace croq::source::purity {

enum class Zone { kModule, kJit, kHot, kCold, kLaunch };

/// What the lists say of a name in a zone.
struct Ruling {
  enum class Verdict { kAllowed, kForbidden, kUnlisted };
  Verdict verdict = Verdict::kUnlisted;
  bool baseline_only = false;
  std::string_view code;  ///< of the finding; empty: none (allowed) or the zone's own (forbidden)
  std::string_view text;  ///< the rule's words

  bool forbidden() const { return verdict == Verdict::kForbidden; }
  bool unlisted() const { return verdict == Verdict::kUnlisted; }
};

class Rules {
 public:
  /// `contract` outlives it.
  explicit Rules(const contract::Purity& contract);

  /// The longest name of the lists that fits; a pattern `a.*` fits `a` too.
  Ruling Of(Zone zone, std::string_view name) const;
  /// Of a method, by its own name. A code with E means forbidden.
  Ruling Method(std::string_view name) const;
  /// `triton.jit` in any of its spellings.
  bool IsJit(std::string_view name) const;
  /// Whether importing this module's root runs code that the candidate can't have written.
  bool IsKnownModule(std::string_view name) const;

 private:
  struct Entry {
    std::uint8_t zones = 0;
    Ruling ruling;
  };
  using Table = std::unordered_map<std::string_view, std::vector<Entry>>;

  /// `typing.*` allows no `typing.re`: a module that another happens to have imported.
  bool PassesThroughModule(std::string_view rest) const;
  void Add(const contract::NameRule& rule, bool forbidden);
  static const Ruling* Find(const Table& table, std::string_view name, std::uint8_t zone);

  const contract::Purity& contract_;
  Table exact_;
  Table prefixes_;
  std::unordered_map<std::string_view, Ruling> methods_;
  std::unordered_set<std::string_view> modules_;
};

}  // namespace croq::source::purity
