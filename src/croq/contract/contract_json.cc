#include "croq/contract/contract_json.h"

#include <nlohmann/json.hpp>

namespace croq::contract {
namespace {

using nlohmann::json;

json ValueOf(const LeverValue& value) {
  return std::visit([](const auto& inner) { return json(inner); }, value);
}

json EnvironmentJson(const Environment& environment) {
  json packages = json::array();
  for (const Package& package : environment.packages) {
    packages.push_back({{"name", package.name},
                        {"required", package.required},
                        {"needed_for", package.needed_for},
                        {"oldest", package.oldest},
                        {"tested", package.tested},
                        {"remedy", package.remedy}});
  }
  json conflicts = json::array();
  for (const Conflict& conflict : environment.conflicts) {
    conflicts.push_back({{"package", conflict.package},
                         {"from", conflict.from},
                         {"with", conflict.with},
                         {"up_to", conflict.up_to},
                         {"effect", conflict.effect},
                         {"remedy", conflict.remedy}});
  }
  json tools = json::array();
  for (const Tool& tool : environment.tools) {
    tools.push_back({{"name", tool.name},
                     {"package", tool.package},
                     {"path", tool.path},
                     {"override", tool.override_variable},
                     {"version_argument", tool.version_argument},
                     {"needed_for", tool.needed_for},
                     {"remedy", tool.remedy}});
  }
  return {{"validate", environment.validate},
          {"interpreter", environment.interpreter},
          {"oldest_interpreter", environment.oldest_interpreter},
          {"tools", tools},
          {"packages", packages},
          {"conflicts", conflicts}};
}

json VerifyJson(const Verify& verify) {
  json tolerances = json::array();
  for (const Tolerance& tolerance : verify.tolerances) {
    tolerances.push_back({{"dtype", FactsOf(tolerance.dtype).name},
                          {"max_abs_err", tolerance.max_abs_err},
                          {"beyond_contract", tolerance.beyond_contract}});
  }
  return {{"function", verify.function},
          {"reference", verify.reference},
          {"pass_line", verify.pass_line},
          {"fail_line", verify.fail_line},
          {"tolerances", tolerances}};
}

json BenchJson(const Bench& bench) {
  return {{"function", bench.function},
          {"warmup", bench.warmup},
          {"iterations", bench.iterations},
          {"clock", bench.clock},
          {"forbidden_clocks", bench.forbidden_clocks},
          {"formula", bench.formula},
          {"required_output", bench.required_output},
          {"output_format", bench.output_format},
          {"code", bench.code}};
}

json ClassifyJson(const ClassifyRule& rule) {
  json thresholds = json::array();
  for (const Threshold& threshold : rule.thresholds) {
    thresholds.push_back({{"name", threshold.name},
                          {"value", threshold.value},
                          {"unit", threshold.unit},
                          {"meaning", threshold.meaning},
                          {"source", threshold.source}});
  }
  return {{"text", rule.text}, {"thresholds", thresholds}, {"beyond_contract", true}};
}

json NameRulesJson(const std::vector<NameRule>& rules) {
  json out = json::array();
  for (const NameRule& rule : rules) {
    out.push_back({{"text", rule.text},
                   {"names", rule.names},
                   {"zones", rule.zones},
                   {"code", rule.code},
                   {"why", rule.why},
                   {"baseline_only", rule.baseline_only},
                   {"beyond_contract", rule.beyond_contract}});
  }
  return out;
}

json LeversJson(const std::vector<LeverRule>& levers) {
  json out = json::array();
  for (const LeverRule& lever : levers) {
    json values = json::array();
    json beyond = json::array();
    for (const LeverChoice& choice : lever.choices) {
      values.push_back(ValueOf(choice.value));
      if (choice.beyond_contract)
        beyond.push_back(ValueOf(choice.value));
    }
    out.push_back({{"name", lever.name},
                   {"kind", NameOf(lever.kind)},
                   {"text", lever.text},
                   {"meaning", lever.meaning},
                   {"values", values},
                   {"values_beyond_contract", beyond},
                   {"needs_compute_capability", lever.needs_compute_capability},
                   {"beyond_contract", lever.beyond_contract}});
  }
  return out;
}

json ReadingsJson(const std::vector<Reading>& readings) {
  json out = json::array();
  for (const Reading& reading : readings) {
    out.push_back({{"id", reading.id},
                   {"section", reading.section},
                   {"contract", reading.contract},
                   {"problem", reading.problem},
                   {"reading", reading.reading},
                   {"code", reading.code}});
  }
  return out;
}

}  // namespace

void to_json(json& out, const Contract& contract) {
  const Scripts& scripts = contract.scripts;
  out = {{"file", contract.file.string()},
         {"dsl",
          {{"name", contract.dsl.name},
           {"title", contract.dsl.title},
           {"description", contract.dsl.description},
           {"extension", contract.dsl.extension},
           {"compiler", contract.dsl.compiler},
           {"group", contract.dsl.group}}},
         {"environment", EnvironmentJson(contract.environment)},
         {"build",
          {{"template", scripts.build},
           {"first_run_failure", scripts.first_run_failure},
           {"retry_budget", scripts.retry_budget}}},
         {"run", {{"template", scripts.run}}},
         {"profile",
          {{"template", scripts.profile},
           {"tool", contract.profile.tool},
           {"pin", contract.profile.pin},
           {"wrapper", scripts.profile_wrapper},
           {"details", scripts.profile_details},
           {"options", contract.profile.options},
           {"baseline_kernel", contract.profile.baseline_kernel},
           {"sections", contract.profile.sections}}},
         {"classify", ClassifyJson(contract.classify)},
         {"preamble", {{"template", scripts.preamble}, {"beyond_contract", true}}},
         {"verify", VerifyJson(contract.verify)},
         {"bench", BenchJson(contract.bench)},
         {"baseline",
          {{"kernel", contract.baseline.kernel},
           {"tag", contract.baseline.tag},
           {"text", contract.baseline.text}}},
         {"purity",
          {{"kernel_decorator", contract.purity.kernel_decorator},
           {"autotune_decorator", contract.purity.autotune_decorator},
           {"known_modules", contract.purity.known_modules},
           {"allowed", NameRulesJson(contract.purity.allowed)},
           {"forbidden", NameRulesJson(contract.purity.forbidden)},
           {"methods", NameRulesJson(contract.purity.methods)}}},
         {"ideas", contract.ideas},
         {"levers", LeversJson(contract.levers)},
         {"readings", ReadingsJson(contract.readings)}};
}

}  // namespace croq::contract
