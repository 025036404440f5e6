#include "croq/cli/contract_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "croq/cli/output.h"

namespace croq::cli {
namespace {

using contract::Contract;

std::string Section(const std::string& title, const std::string& body) {
  return fmt::format("\n{}\n{}", title, body);
}

/// A trailing + marks what croq adds to the contract.
std::string Marked(const std::string& text, bool beyond) {
  return beyond ? text + " +" : text;
}

std::string Environment(const Contract& contract) {
  const contract::Environment& environment = contract.environment;
  TextTable table;
  table.AddRow({"check", environment.validate});
  table.AddRow({environment.interpreter, environment.oldest_interpreter + " or newer"});
  for (const contract::Package& package : environment.packages) {
    std::string text = package.oldest.empty() ? "" : package.oldest + " or newer, ";
    text += fmt::format("tested: {}; {}", fmt::join(package.tested, ", "), package.needed_for);
    table.AddRow({package.name, text});
  }
  for (const contract::Conflict& conflict : environment.conflicts) {
    table.AddRow(
        {"conflict", fmt::format("{} from {} with {} up to {}: {}", conflict.package, conflict.from,
                                 conflict.with, conflict.up_to, conflict.effect)});
  }
  for (const contract::Tool& tool : environment.tools) {
    table.AddRow({tool.name, fmt::format("comes with {}; {}", tool.package, tool.needed_for)});
  }
  return table.Render(2);
}

std::string Scripts(const Contract& contract) {
  const contract::Scripts& scripts = contract.scripts;
  return Section("Preamble of each script +", Indent(scripts.preamble, 2)) +
         Section("build_iter<NNN>.sh", Indent(scripts.build, 2)) +
         fmt::format(
             "  A JIT failure at first run counts as: {}. Tries before it is an attempt: {} +\n",
             scripts.first_run_failure, scripts.retry_budget + 1) +
         Section("run_iter<NNN>.sh", Indent(scripts.run, 2)) +
         Section("profile_iter<NNN>.sh", Indent(scripts.profile, 2)) +
         Section("Around its commands +", Indent(scripts.profile_wrapper, 2) +
                                              Indent(scripts.profile_details, 2)) +
         fmt::format("  Before profiling: {}\n", contract.profile.pin);
}

std::string VerifyAndBench(const Contract& contract) {
  TextTable verify;
  verify.AddRow({contract.verify.function + "()", "against " + contract.verify.reference});
  verify.AddRow(
      {"prints", fmt::format("{}  or  {}", contract.verify.pass_line, contract.verify.fail_line)});
  for (const contract::Tolerance& tolerance : contract.verify.tolerances) {
    verify.AddRow({std::string(FactsOf(tolerance.dtype).name),
                   Marked(fmt::format("max_abs_err < {:g}", tolerance.max_abs_err),
                          tolerance.beyond_contract)});
  }
  const contract::Bench& bench = contract.bench;
  TextTable table;
  table.AddRow({bench.function + "()",
                fmt::format("{} warm-up + {} timed launches", bench.warmup, bench.iterations)});
  table.AddRow(
      {"clock", fmt::format("{}, never {}", bench.clock, fmt::join(bench.forbidden_clocks, ", "))});
  table.AddRow({"TFLOPS", bench.formula});
  table.AddRow({"prints", bench.required_output});
  return Section("Verify", verify.Render(2)) + Section("Bench", table.Render(2)) +
         Indent(bench.code, 4) +
         Section("Baseline (iter000)", Indent(contract.baseline.text + "\n", 2));
}

std::string Classify(const contract::ClassifyRule& rule) {
  TextTable table;
  for (const contract::Threshold& threshold : rule.thresholds) {
    table.AddRow({threshold.name, fmt::format("{:g} {}", threshold.value, threshold.unit),
                  fmt::format("{} ({})", threshold.meaning, threshold.source)});
  }
  return Section("What bounds a kernel +", Indent(rule.text, 2)) + table.Render(2);
}

std::string NameRules(const std::vector<contract::NameRule>& rules) {
  TextTable table;
  for (const contract::NameRule& rule : rules) {
    std::string text = fmt::format("{}", fmt::join(rule.names, ", "));
    if (rule.baseline_only)
      text += " (iter000 may)";
    if (!rule.why.empty())
      text += "; " + rule.why;
    table.AddRow({Marked(rule.text, rule.beyond_contract), text});
  }
  return table.Render(2);
}

std::string Ideas(const Contract& contract) {
  TextTable table;
  for (const contract::Idea& idea : contract.ideas) {
    table.AddRow({idea.bottleneck,
                  idea.levers.empty()
                      ? idea.move
                      : fmt::format("{} {}", fmt::join(idea.levers, ", "), idea.move),
                  Marked(idea.text, idea.beyond_contract)});
  }
  return table.Render(2);
}

std::string Levers(const Contract& contract) {
  TextTable table;
  for (const contract::LeverRule& lever : contract.levers) {
    std::vector<std::string> values;
    for (const contract::LeverChoice& choice : lever.choices) {
      const bool marked = choice.beyond_contract && !lever.beyond_contract;
      values.push_back(ToText(choice.value) + (marked ? "+" : ""));
    }
    std::string meaning = lever.meaning;
    if (lever.needs_compute_capability > 0) {
      meaning += fmt::format(" (from sm{} on)", lever.needs_compute_capability);
    }
    table.AddRow({Marked(lever.name, lever.beyond_contract), std::string(NameOf(lever.kind)),
                  fmt::format("{}", fmt::join(values, " ")), meaning});
  }
  return table.Render(2);
}

std::string Readings(const Contract& contract) {
  std::string text;
  for (const contract::Reading& reading : contract.readings) {
    TextTable table;
    table.AddRow({"contract", reading.contract + "   (" + reading.section + ")"});
    table.AddRow({"problem", reading.problem});
    table.AddRow({"read as", reading.reading});
    text += table.Render(2) + Indent(reading.code, 12) + "\n";
  }
  return text;
}

}  // namespace

std::string FormatContract(const Contract& contract) {
  TextTable head;
  head.AddRow({"DSL", fmt::format("{} ({})", contract.dsl.title, contract.dsl.name)});
  head.AddRow({"extension", contract.dsl.extension});
  head.AddRow({"compiler", contract.dsl.compiler});
  head.AddRow({"group", contract.dsl.group});
  head.AddRow({"file", contract.file.string()});
  return fmt::format("{}A + marks what croq adds to the contract.\n", head.Render()) +
         Section("Environment", Environment(contract)) + Scripts(contract) +
         Classify(contract.classify) + VerifyAndBench(contract) + Section("Allowed", NameRules(contract.purity.allowed)) +
         Section("Forbidden", NameRules(contract.purity.forbidden)) +
         Section("Idea menu", Ideas(contract)) + Section("Levers", Levers(contract)) +
         Section("Where the contract is not taken to the letter", Readings(contract));
}

}  // namespace croq::cli
