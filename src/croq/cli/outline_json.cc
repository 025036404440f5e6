#include <nlohmann/json.hpp>

#include "croq/cli/outline_report.h"

namespace croq::cli {
namespace {

using nlohmann::json;
using namespace source;  // NOLINT: this file only writes its structs down

json Place(const Node& node) {
  return {{"line", node.span.line}, {"column", node.span.column + 1}};
}

json LiteralJson(const Literal& literal) {
  struct Visitor {
    json operator()(std::monostate) const { return nullptr; }
    json operator()(bool value) const { return value; }
    json operator()(std::int64_t value) const { return value; }
    json operator()(double value) const { return value; }
    json operator()(const std::string& value) const { return value; }
  };
  return std::visit(Visitor(), literal);
}

/// {"value": literal} or {"text": expression}.
json SettingJson(const SyntaxTree& tree, const Setting& setting) {
  if (setting.literal)
    return {{"value", LiteralJson(*setting.literal)}};
  return {{"text", tree.Text(*setting.node)}};
}

json SettingsJson(const SyntaxTree& tree, const std::vector<Setting>& settings) {
  json object = json::object();
  for (const Setting& setting : settings)
    object[setting.name.empty() ? "**" : setting.name] = SettingJson(tree, setting);
  return object;
}

json WordsJson(const WordList& list) {
  json words = json::array();
  for (const WordList::Word& word : list.words) words.push_back(word.text);
  return words;
}

json AutotuneJson(const SyntaxTree& tree, const AutotuneInfo& tuned) {
  json configs = json::array();
  for (const ConfigInfo& config : tuned.configs) {
    json one = Place(*config.node);
    one["kwargs"] = SettingsJson(tree, config.kwargs);
    one["options"] = SettingsJson(tree, config.options);
    one["pre_hook"] = config.pre_hook == nullptr ? json() : json(tree.Text(*config.pre_hook));
    one["known"] = config.known;
    configs.push_back(std::move(one));
  }
  json result = Place(*tuned.call);
  result["form"] = FormWord(tuned.form);
  result["configs_from"] = tuned.configs_from.empty() ? json() : json(tuned.configs_from);
  result["configs_known"] = tuned.configs_known;
  result["configs"] = std::move(configs);
  result["key"] = WordsJson(tuned.key);
  result["reset_to_zero"] = WordsJson(tuned.reset_to_zero);
  result["restore_value"] = WordsJson(tuned.restore_value);
  result["words_known"] = tuned.key.known && tuned.reset_to_zero.known && tuned.restore_value.known;
  result["prune_configs_by"] = SettingsJson(tree, tuned.prune);
  result["options"] = SettingsJson(tree, tuned.options);
  return result;
}

const char* DecoratorWord(DecoratorKind kind) {
  switch (kind) {
    case DecoratorKind::kJit:
      return "jit";
    case DecoratorKind::kAutotune:
      return "autotune";
    case DecoratorKind::kHeuristics:
      return "heuristics";
    case DecoratorKind::kOther:
      return "other";
  }
  return "";
}

json KernelJson(const SyntaxTree& tree, const KernelInfo& kernel) {
  json decorators = json::array();
  for (const DecoratorInfo& decorator : kernel.decorators) {
    json one = Place(*decorator.node);
    one["name"] = decorator.name;
    one["kind"] = DecoratorWord(decorator.kind);
    one["text"] = tree.Text(*decorator.node);
    one["by_call"] = decorator.by_call;
    decorators.push_back(std::move(one));
  }
  json parameters = json::array();
  for (const ParameterInfo& parameter : kernel.parameters) {
    parameters.push_back(
        {{"name", parameter.name},
         {"constexpr", parameter.is_constexpr},
         {"annotation", parameter.annotation.empty() ? json() : json(parameter.annotation)},
         {"default", parameter.default_value == nullptr
                         ? json()
                         : json(tree.Text(*parameter.default_value))},
         {"keyword_only", parameter.keyword_only}});
  }
  json autotunes = json::array();
  for (const AutotuneInfo* tuned : kernel.autotunes) autotunes.push_back(AutotuneJson(tree, *tuned));
  json heuristics = json::array();
  for (const HeuristicsInfo* one : kernel.heuristics) {
    json entry = Place(*one->call);
    entry["values"] = SettingsJson(tree, one->values);
    entry["known"] = one->known;
    heuristics.push_back(std::move(entry));
  }
  json result = Place(*kernel.definition);
  result["name"] = kernel.name;
  result["qualified_name"] = kernel.qualified_name;
  result["function"] = std::string(kernel.definition->text);
  result["made"] = Place(*kernel.made);
  result["decorators"] = std::move(decorators);
  result["parameters"] = std::move(parameters);
  result["autotune"] = std::move(autotunes);
  result["heuristics"] = std::move(heuristics);
  result["called_by_kernels"] = kernel.called_by_kernels;
  return result;
}

json SiteJson(const SyntaxTree& tree, const LaunchSite& site) {
  json kernels = json::array();
  for (const KernelInfo* kernel : site.kernels) kernels.push_back(kernel->qualified_name);
  json positional = json::array();
  for (const Node* argument : site.positional) positional.push_back(tree.Text(*argument));
  json result = Place(*site.call);
  result["target"] = site.target;
  result["kernels"] = std::move(kernels);
  result["form"] = FormWord(site.form);
  result["grid"] = {{"kind", GridWord(site.grid_kind)},
                    {"text", site.grid == nullptr ? json() : json(tree.Text(*site.grid))}};
  result["arguments"] = std::move(positional);
  result["keywords"] = SettingsJson(tree, site.keywords);
  result["function"] = site.function == nullptr ? json() : json(QualifiedName(*site.function));
  return result;
}

json MentionsJson(const SyntaxTree& tree, const std::vector<Mention>& mentions) {
  json list = json::array();
  for (const Mention& mention : mentions) {
    json one = Place(*mention.node);
    one["what"] = mention.what;
    one["text"] = tree.Text(*mention.node);
    one["at_import"] = mention.at_import;
    list.push_back(std::move(one));
  }
  return list;
}

void AddEvaluated(const EvaluatedFile& file, json& result) {
  result["evaluate_error"] = file.reply.ok ? json() : json(file.reply.message);
  for (std::size_t i = 0; i < file.by_kernel.size(); ++i) {
    const auto* evaluated = file.by_kernel[i];
    result["kernels"][i]["evaluated"] = evaluated == nullptr ? json() : EvaluatedJson(*evaluated);
  }
  json& others = result["evaluated_others"] = json::array();
  for (const auto* evaluated : file.others) others.push_back(EvaluatedJson(*evaluated));
}

}  // namespace

json OutlineJson(const OutlinedFile& file) {
  const SyntaxTree& tree = file.tree;
  const Outline& outline = file.outline;
  json result{{"file", tree.path()}};
  json& kernels = result["kernels"] = json::array();
  for (const KernelInfo& kernel : outline.kernels) kernels.push_back(KernelJson(tree, kernel));
  if (file.evaluated != nullptr)
    AddEvaluated(*file.evaluated, result);
  json& launchers = result["launchers"] = json::array();
  for (const LauncherInfo& launcher : outline.launchers) {
    json one = Place(*launcher.definition);
    one["name"] = launcher.qualified_name;
    launchers.push_back(std::move(one));
  }
  json& sites = result["launch_sites"] = json::array();
  for (const LaunchSite& site : outline.launch_sites) sites.push_back(SiteJson(tree, site));
  result["descriptors"] = MentionsJson(tree, outline.descriptors);
  result["device_reads"] = MentionsJson(tree, outline.device_reads);
  json& warnings = result["warnings"] = json::array();
  for (const Warning& warning : outline.warnings) {
    warnings.push_back({{"code", warning.code},
                        {"line", warning.line},
                        {"column", warning.column + 1},
                        {"kernel", warning.kernel.empty() ? json() : json(warning.kernel)},
                        {"message", warning.message}});
  }
  return result;
}

}  // namespace croq::cli
