#include "croq/model/outcome.h"

#include <array>
#include <utility>

namespace croq {
namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 7> kOutcomes{{
    {Outcome::kCorrect, "correct"},
    {Outcome::kConstraints, "constraints"},
    {Outcome::kCompile, "compile"},
    {Outcome::kRuntime, "runtime"},
    {Outcome::kTimeout, "timeout"},
    {Outcome::kCorrectness, "correctness"},
    {Outcome::kRule, "rule"},
}};

constexpr std::array<std::pair<Decision, std::string_view>, 3> kDecisions{{
    {Decision::kNone, ""},
    {Decision::kKeep, "KEEP"},
    {Decision::kDiscard, "DISCARD"},
}};

template <typename Table, typename Key>
std::string_view TextOf(const Table& table, Key key) {
  for (const auto& [value, text] : table) {
    if (value == key) return text;
  }
  return "";
}

template <typename Value, typename Table>
std::optional<Value> ValueOf(const Table& table, std::string_view name) {
  for (const auto& [value, text] : table) {
    if (text == name) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view NameOf(Outcome outcome) { return TextOf(kOutcomes, outcome); }

std::optional<Outcome> ParseOutcome(std::string_view name) {
  return ValueOf<Outcome>(kOutcomes, name);
}

std::string_view NameOf(Decision decision) { return TextOf(kDecisions, decision); }

std::optional<Decision> ParseDecision(std::string_view name) {
  return ValueOf<Decision>(kDecisions, name);
}

}  // namespace croq
