#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "croq/base/suggest.h"
#include "croq/source/config_options.h"
#include "croq/source/outline_warnings.h"

/// Mistakes in the arguments of triton.autotune, triton.Config and triton.heuristics.
namespace croq::source {
namespace {

/// "the kernel has no parameter 'x' (did you mean 'y'?)"
std::string NoParameter(const KernelInfo& kernel, const std::string& name) {
  std::vector<std::string> known;
  for (const ParameterInfo& parameter : kernel.parameters) known.push_back(parameter.name);
  const std::string near = Suggest(name, known);
  return fmt::format("{} has no parameter '{}'{}", kernel.definition->text, name,
                     near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near));
}

void WarnOfWords(const KernelInfo& kernel, const WordList& list, const char* code,
                 const char* argument, const char* consequence, Outline& outline) {
  for (const WordList::Word& word : list.words) {
    if (kernel.Parameter(word.text) == nullptr) {
      Warn(outline, code, *word.node, kernel.qualified_name,
           fmt::format("{} names '{}', but {}: {}", argument, word.text,
                       NoParameter(kernel, word.text), consequence));
    }
  }
}

void WarnOfKwargs(const KernelInfo& kernel, const AutotuneInfo& tuned, Outline& outline) {
  std::set<std::string> told;
  for (const ConfigInfo& config : tuned.configs) {
    for (const Setting& setting : config.kwargs) {
      if (kernel.Parameter(setting.name) != nullptr || IsLaunchOption(setting.name) ||
          !told.insert(setting.name).second)
        continue;
      if (const Backend backend = BackendOfOption(setting.name); backend != Backend::kNone) {
        if (backend == Backend::kNvidia)
          continue;
        Warn(outline, "backend-option", *setting.node, kernel.qualified_name,
             fmt::format("'{}' is no parameter of {} but an option of the AMD back end: on an "
                         "NVIDIA GPU Triton refuses it at the launch",
                         setting.name, kernel.definition->text));
      } else if (tuned.Prune("early_config_prune") != nullptr) {
        Warn(outline, "config-name", *setting.node, kernel.qualified_name,
             fmt::format("a configuration sets '{}', but {}: early_config_prune has to replace it",
                         setting.name, NoParameter(kernel, setting.name)));
      } else {
        Warn(outline, "config-name", *setting.node, kernel.qualified_name,
             fmt::format("a configuration sets '{}', but {}: launching with it fails", setting.name,
                         NoParameter(kernel, setting.name)));
      }
    }
  }
}

void WarnOfOptions(const KernelInfo& kernel, const AutotuneInfo& tuned, Outline& outline) {
  std::set<std::string> told;
  for (const ConfigInfo& config : tuned.configs) {
    for (const Setting& option : config.options) {
      const std::string history = HistoryOfOption(option.name);
      if (!history.empty() && told.insert(option.name).second) {
        Warn(outline, "api-drift", *option.node, kernel.qualified_name,
             fmt::format("triton.Config is given '{}': {}", option.name, history));
      }
    }
  }
}

/// Equal texts are equal configurations. Defaults are Triton's own.
std::string TextOf(const SyntaxTree& tree, const ConfigInfo& config) {
  std::map<std::string, std::string> parts{
      {" num_warps", "4"}, {" num_stages", "3"}, {" num_ctas", "1"}};
  for (const Setting& setting : config.kwargs)
    parts[setting.name] = setting.literal ? ToText(*setting.literal) : "?";
  for (const Setting& setting : config.options)
    parts[" " + setting.name] = setting.literal ? ToText(*setting.literal) : "?";
  if (config.pre_hook != nullptr)
    parts[" pre_hook"] = tree.Text(*config.pre_hook);
  std::string text;
  for (const auto& [name, value] : parts)
    text += (text.empty() ? "" : ", ") + name.substr(name.front() == ' ' ? 1 : 0) + "=" + value;
  return text;
}

void WarnOfDuplicates(const SyntaxTree& tree, const KernelInfo& kernel, const AutotuneInfo& tuned,
                      Outline& outline) {
  std::map<std::string, std::size_t> first;
  std::size_t repeated = 0;
  const ConfigInfo* at = nullptr;
  std::string which;
  for (std::size_t i = 0; i < tuned.configs.size(); ++i) {
    if (!tuned.configs[i].known)
      continue;
    const std::string text = TextOf(tree, tuned.configs[i]);
    const auto [found, fresh] = first.emplace(text, i);
    if (fresh)
      continue;
    if (++repeated == 1) {
      at = &tuned.configs[i];
      which = fmt::format("configuration {} is the same as {} ({})", i, found->second, text);
    }
  }
  if (repeated == 0)
    return;
  Warn(outline, "duplicate-config", *at->node, kernel.qualified_name,
       repeated == 1 ? fmt::format("{}; it is timed twice", which)
                     : fmt::format("{} of {} configurations are repeated and timed again; the "
                                   "first: {}",
                                   repeated, tuned.configs.size(), which));
}

bool GoodTopK(const Literal& top_k) {
  if (const auto* count = std::get_if<std::int64_t>(&top_k))
    return *count > 0;
  const auto* share = std::get_if<double>(&top_k);
  return share != nullptr && *share > 0 && *share <= 1;
}

void WarnOfAutotune(const KernelInfo& kernel, const AutotuneInfo& tuned, Outline& outline) {
  const Setting* top_k = tuned.Prune("top_k");
  if (top_k != nullptr && top_k->literal && !GoodTopK(*top_k->literal)) {
    Warn(outline, "top-k", *top_k->node, kernel.qualified_name,
         fmt::format("top_k is {}: it must be a count of at least 1, or a share above 0.0 and up "
                     "to 1.0 of all configurations",
                     ToText(*top_k->literal)));
  }
  for (const char* name : {"warmup", "rep", "use_cuda_graph"}) {
    const Setting* option = tuned.Option(name);
    const bool none = option != nullptr && option->literal &&
                      std::holds_alternative<std::monostate>(*option->literal);
    if (option != nullptr && !none) {
      Warn(outline, "deprecated", *option->node, kernel.qualified_name,
           fmt::format("triton.autotune's {} is deprecated; do_bench takes its place", name));
    }
  }
  if (tuned.configs_known && tuned.configs.empty()) {
    Warn(outline, "no-configs", *tuned.call, kernel.qualified_name,
         "the list of configurations is empty: Triton uses its defaults alone");
  }
}

void WarnOfHeuristics(const KernelInfo& kernel, Outline& outline) {
  for (const HeuristicsInfo* heuristics : kernel.heuristics) {
    for (const Setting& setting : heuristics->values) {
      if (kernel.Parameter(setting.name) == nullptr && !IsLaunchOption(setting.name)) {
        Warn(outline, "heuristics-name", *setting.node, kernel.qualified_name,
             fmt::format("heuristics sets '{}', but {}: launching fails", setting.name,
                         NoParameter(kernel, setting.name)));
      }
      if (kernel.autotune == nullptr)
        continue;
      for (const ConfigInfo& config : kernel.autotune->configs) {
        const auto same = [&](const Setting& one) { return one.name == setting.name; };
        if (std::any_of(config.kwargs.begin(), config.kwargs.end(), same)) {
          Warn(outline, "overridden", *setting.node, kernel.qualified_name,
               fmt::format("heuristics sets {}, which the configurations set too: the "
                           "heuristic's value is what the kernel gets",
                           setting.name));
          break;
        }
      }
    }
  }
}

}  // namespace

void WarnOfTuning(const WarningInput& input, Outline& outline) {
  for (const KernelInfo& kernel : outline.kernels) {
    WarnOfHeuristics(kernel, outline);
    if (kernel.autotune == nullptr)
      continue;
    const AutotuneInfo& tuned = *kernel.autotune;
    if (kernel.autotunes.size() > 1) {
      Warn(outline, "nested-autotune", *kernel.autotunes[1]->call, kernel.qualified_name,
           fmt::format("{} autotunes are stacked: the inner one (line {}) is ignored",
                       kernel.autotunes.size(), kernel.autotunes[1]->call->span.line));
    }
    WarnOfWords(kernel, tuned.key, "key-name", "key",
                "it is dropped silently, so that a new value of it does not tune again", outline);
    WarnOfWords(kernel, tuned.reset_to_zero, "reset-name", "reset_to_zero",
                "tuning fails, or nothing is zeroed", outline);
    WarnOfWords(kernel, tuned.restore_value, "restore-name", "restore_value",
                "tuning fails, or nothing is restored", outline);
    WarnOfKwargs(kernel, tuned, outline);
    WarnOfOptions(kernel, tuned, outline);
    WarnOfDuplicates(input.tree, kernel, tuned, outline);
    WarnOfAutotune(kernel, tuned, outline);
  }
}

}  // namespace croq::source
