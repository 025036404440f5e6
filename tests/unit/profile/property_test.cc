#include <fmt/format.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/profile/exports.h"

namespace croq::profile {
namespace {

/// Grouped as ncu prints it.
std::string Grouped(std::uint64_t whole, int cents, char separator, char point) {
  std::string digits = std::to_string(whole);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, separator);
  }
  return fmt::format("{}{}{:02d}", digits, point, cents);
}

RC_GTEST_PROP(NumberProperty, GroupedNumbersComeBack, ()) {
  const auto whole = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000'000);
  const auto cents = *rc::gen::inRange(0, 100);
  const double value = static_cast<double>(whole) + cents / 100.0;
  const std::string point = Grouped(whole, cents, ',', '.');
  const std::string comma = Grouped(whole, cents, '.', ',');
  MarkVotes votes;
  votes.Add(comma);
  RC_ASSERT(votes.Winner() == DecimalMark::kComma);
  RC_ASSERT(std::abs(ParseNumber(point, DecimalMark::kPoint).value - value) <= value * 1e-12);
  RC_ASSERT(ParseNumber(comma, DecimalMark::kComma).ok);
  RC_ASSERT(std::abs(ParseNumber(comma, DecimalMark::kComma).value - value) <= value * 1e-12);
}

RC_GTEST_PROP(CsvProperty, QuotedFieldsComeBack, (const std::vector<std::string>& fields)) {
  RC_PRE(!fields.empty());
  std::string text;
  for (const std::string& field : fields) {
    text += text.empty() ? "\"" : ",\"";
    for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += '"';
  }
  text += "\n";
  FieldStore store;
  CsvReader reader(text, store);
  std::vector<std::string_view> read;
  RC_ASSERT(reader.Next(read));
  RC_ASSERT(std::vector<std::string>(read.begin(), read.end()) == fields);
  RC_ASSERT(reader.AtEnd());
}

RC_GTEST_PROP(RuleProperty, EveryPairOfSidesHasAClassAndItsSideIsNotTheSmaller, ()) {
  const double sm = *rc::gen::inRange(0, 10500) / 100.0;
  const double memory = *rc::gen::inRange(0, 10500) / 100.0;
  RuleInputs inputs;
  inputs.sm = sm;
  inputs.memory = memory;
  inputs.grid = *rc::gen::inRange(1, 1000);
  inputs.sms = 132;
  inputs.waves = inputs.grid / 132;
  inputs.duration_us = *rc::gen::inRange(1, 100);
  const RuleOutcome outcome = ApplyRule(Rule(), inputs);
  if (outcome.bottleneck == Bottleneck::kCompute)
    RC_ASSERT(sm > memory);
  if (outcome.bottleneck == Bottleneck::kMemory)
    RC_ASSERT(memory >= sm);
  const bool low = sm < 60 && memory < 60;
  RC_ASSERT(low == (outcome.bottleneck == Bottleneck::kLatency ||
                    outcome.bottleneck == Bottleneck::kLaunch));
}

/// A file with bytes changed, cut or doubled gives a report or a usage error, and never a number
/// that is none.
RC_GTEST_PROP(ReadProperty, ABrokenFileIsAReportOrAnError, ()) {
  static const std::vector<std::string> kTexts{
      MustRead(Golden() / "mm_details_base.csv"), MustRead(Golden() / "all_raw_nonvtx.csv"),
      MustRead(Golden() / "synthetic/noise_raw.csv"), MustRead(Golden() / "live_csv.csv")};
  std::string text = *rc::gen::elementOf(kTexts);
  const int edits = *rc::gen::inRange(1, 8);
  for (int i = 0; i < edits && !text.empty(); ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 40);
    const int kind = *rc::gen::inRange(0, 3);
    if (kind == 0)
      text.replace(at, 1, *rc::gen::elementOf(std::vector<std::string>{"\"", ",", "\n", "9", "("}));
    else if (kind == 1)
      text.erase(at, length);
    else
      text.insert(at, text.substr(at, length));
  }
  const auto report = ReportOf(text, "x", "regex:.");
  if (!report) {
    RC_ASSERT(report.error().kind == ErrorKind::kUsage);
    return;
  }
  for (const auto& [name, metric] : report->metrics.metrics) {
    RC_ASSERT(!metric.value || std::isfinite(*metric.value));
  }
}

}  // namespace
}  // namespace croq::profile
