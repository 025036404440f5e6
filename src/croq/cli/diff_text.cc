#include "croq/cli/diff_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "croq/base/unified_diff.h"
#include "croq/cli/output.h"
#include "croq/cli/session_text.h"
#include "croq/contract/figures.h"

namespace croq::cli {
namespace {

using nlohmann::json;

std::string Number(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string Change(double before, double after) {
  if (before == 0 || after == 0) return "";
  return fmt::format("{:+.1f}%", 100 * (after / before - 1));
}

/// Zero is no measurement of a time, a rate or a kernel's registers.
std::string Known(double value) { return value > 0 ? Number(value) : "-"; }

std::string Dash(const std::string& text) { return text.empty() ? "-" : text; }

std::string Configuration(const IterationFacts& before, const IterationFacts& after) {
  TextTable table;
  for (const LeverChange& one : CompareConfigs(before.iteration.config, after.iteration.config)) {
    table.AddRow({one.lever, Dash(one.before), "->", Dash(one.after)});
  }
  const std::string text = table.Render(2);
  return text.empty() ? "  the same\n" : text;
}

std::string Figures(const IterationFacts& before, const IterationFacts& after) {
  TextTable table;
  const Iteration& a = before.iteration;
  const Iteration& b = after.iteration;
  const auto row = [&](const char* name, double old_value, double new_value) {
    if (old_value > 0 || new_value > 0)
      table.AddRow({name, Known(old_value), Known(new_value), Change(old_value, new_value)});
  };
  const auto bytes = [](const Iteration& one, double value) {
    return one.build.registers > 0 ? FormatBytes(value) : "-";
  };
  table.AddRow({"", a.Name(), b.Name(), ""});
  table.AddRow({"decision", Dash(std::string(NameOf(a.decision))),
                Dash(std::string(NameOf(b.decision))), ""});
  row(a.predicted || b.predicted ? "TFLOPS (predicted)" : "TFLOPS (contract)", a.tflops, b.tflops);
  row("ms (cold)", a.cold_ms, b.cold_ms);
  row("of cuBLAS (cold)", a.ratio, b.ratio);
  row("registers", a.build.registers, b.build.registers);
  const auto byte_row = [&](const char* name, double old_value, double new_value) {
    if (old_value > 0 || new_value > 0)
      table.AddRow({name, bytes(a, old_value), bytes(b, new_value), Change(old_value, new_value)});
  };
  byte_row("local memory", a.build.local_bytes, b.build.local_bytes);
  byte_row("shared memory", static_cast<double>(a.build.shared_bytes),
           static_cast<double>(b.build.shared_bytes));
  return table.Render(2);
}

const profile::Figure* FigureOf(const IterationFacts& facts, const std::string& name) {
  return facts.profile ? facts.profile->Find(name) : nullptr;
}

/// Names of either profile, in the vocabulary's order.
std::vector<std::string> FigureNames(const IterationFacts& before, const IterationFacts& after) {
  std::vector<std::string> names;
  for (const contract::FigureInfo& info : contract::Figures()) {
    const std::string name(info.name);
    if (FigureOf(before, name) != nullptr || FigureOf(after, name) != nullptr)
      names.push_back(name);
  }
  return names;
}

std::string Verdict(const IterationFacts& facts) {
  if (!facts.profile) return "no profile";
  const profile::KernelProfile& profile = *facts.profile;
  std::string text = VerdictText(profile);
  if (profile.is_static) text += profile.predicted ? ", static, predicted" : ", static";
  return text;
}

std::string Counters(const IterationFacts& before, const IterationFacts& after) {
  TextTable table;
  table.AddRow({"", before.iteration.Name(), after.iteration.Name(), "", ""});
  table.AddRow({"verdict", Verdict(before), Verdict(after), "", ""});
  for (const std::string& name : FigureNames(before, after)) {
    const profile::Figure* a = FigureOf(before, name);
    const profile::Figure* b = FigureOf(after, name);
    table.AddRow({name, a == nullptr ? "-" : FigureText(name, a->value),
                  b == nullptr ? "-" : FigureText(name, b->value),
                  a != nullptr && b != nullptr ? Change(a->value, b->value) : "",
                  (b != nullptr ? b : a)->metric});
  }
  return table.Render(2);
}

std::string Sass(const IterationFacts& before, const IterationFacts& after) {
  if (!before.sass || !after.sass) {
    std::string text;
    for (const IterationFacts* one : {&before, &after}) {
      if (!one->sass) text += fmt::format("  {}: {}\n", one->iteration.Name(), one->no_sass);
    }
    return text;
  }
  const auto count = [](const profile::SassMix& mix, std::string_view name) {
    const auto found = mix.classes.find(std::string(name));
    return found == mix.classes.end() ? 0 : found->second;
  };
  TextTable table;
  table.AddRow({"instructions", fmt::format("{}", before.sass->total),
                fmt::format("{}", after.sass->total),
                fmt::format("{:+}", after.sass->total - before.sass->total)});
  for (const std::string_view name : profile::SassClasses()) {
    const int a = count(*before.sass, name);
    const int b = count(*after.sass, name);
    if (a == 0 && b == 0) continue;
    table.AddRow({std::string(name), fmt::format("{}", a), fmt::format("{}", b),
                  a == b ? "" : fmt::format("{:+}", b - a)});
  }
  return table.Render(2);
}

}  // namespace

std::string VerdictText(const profile::KernelProfile& profile) {
  return profile.bottleneck + (profile.level.empty() ? "" : " (" + profile.level + ")");
}

std::string FigureText(std::string_view name, double value) {
  const contract::FigureInfo* info = contract::FindFigure(name);
  const std::string_view unit = info == nullptr ? "" : info->unit;
  if (unit == "bytes") return FormatBytes(value);
  if (unit == "%") return fmt::format("{:.2f}%", value);
  return unit.empty() ? Number(value) : fmt::format("{} {}", Number(value), unit);
}

std::string SourceDiff(const IterationFacts& before, const IterationFacts& after) {
  return UnifiedDiff(before.iteration.Name() + ".py", before.source,
                     after.iteration.Name() + ".py", after.source);
}

std::string FormatDiff(const IterationFacts& before, const IterationFacts& after) {
  const std::string source = SourceDiff(before, after);
  return fmt::format("{} -> {}\n\nConfiguration\n{}\nFigures\n{}\nCounters\n{}\nSASS, instructions "
                     "in the code\n{}\nSource\n{}",
                     before.iteration.Name(), after.iteration.Name(), Configuration(before, after),
                     Figures(before, after), Counters(before, after), Sass(before, after),
                     source.empty() ? "  the same\n" : source);
}

json DiffJson(const IterationFacts& before, const IterationFacts& after) {
  json config = json::array();
  for (const LeverChange& one : CompareConfigs(before.iteration.config, after.iteration.config)) {
    config.push_back({{"lever", one.lever},
                      {"before", one.before.empty() ? json(nullptr) : json(one.before)},
                      {"after", one.after.empty() ? json(nullptr) : json(one.after)}});
  }
  json counters = json::array();
  for (const std::string& name : FigureNames(before, after)) {
    const profile::Figure* a = FigureOf(before, name);
    const profile::Figure* b = FigureOf(after, name);
    counters.push_back({{"figure", name},
                        {"metric", (b != nullptr ? b : a)->metric},
                        {"before", a == nullptr ? json(nullptr) : json(a->value)},
                        {"after", b == nullptr ? json(nullptr) : json(b->value)}});
  }
  const auto side = [](const IterationFacts& facts) {
    return json{{"iteration", facts.iteration.Name()},
                {"config", facts.iteration.config},
                {"tflops", facts.iteration.tflops},
                {"time_ms_cold", facts.iteration.cold_ms},
                {"predicted", facts.iteration.predicted},
                {"bottleneck", facts.profile ? json(facts.profile->bottleneck) : json(nullptr)},
                {"sass", facts.sass ? profile::ToJson(*facts.sass) : json(nullptr)},
                {"no_sass", facts.no_sass}};
  };
  return {{"before", side(before)},  {"after", side(after)},
          {"config", config},        {"counters", counters},
          {"source", SourceDiff(before, after)}};
}

}  // namespace croq::cli
