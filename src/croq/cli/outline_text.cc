#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "croq/cli/outline_report.h"
#include "croq/cli/output.h"

namespace croq::cli {
namespace {

using namespace source;  // NOLINT: this file only writes its structs down

constexpr std::size_t kWidth = 100;
constexpr std::size_t kConfigsShown = 8;
constexpr std::size_t kLongestText = 60;

/// One line of source, cut.
std::string Short(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t' || c == ' ') {
      if (!line.empty() && line.back() != ' ')
        line += ' ';
    } else {
      line += c;
    }
  }
  if (line.size() <= kLongestText)
    return line;
  std::size_t end = kLongestText - 3;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;  // UTF-8
  return line.substr(0, end) + "...";
}

std::string Count(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

/// `label  text`, wrapped.
std::string Row(std::size_t indent, const std::string& label, const std::string& text) {
  TextTable table(kWidth - indent);
  table.AddRow({label + std::string(label.size() < 11 ? 11 - label.size() : 0, ' '), text});
  return table.Render(indent);
}

std::string ParametersText(const SyntaxTree& tree, const KernelInfo& kernel) {
  std::string text;
  for (const ParameterInfo& parameter : kernel.parameters) {
    text += (text.empty() ? "" : ", ") + parameter.name;
    if (parameter.is_constexpr)
      text += ": constexpr";
    else if (!parameter.annotation.empty())
      text += ": " + Short(parameter.annotation);
    if (parameter.default_value != nullptr)
      text += " = " + Short(tree.Text(*parameter.default_value));
  }
  return text.empty() ? "none" : text;
}

std::string WordsText(const WordList& list) {
  std::string text;
  for (const WordList::Word& word : list.words) text += (text.empty() ? "" : ", ") + word.text;
  if (!list.known)
    text += text.empty() ? "(only known at run time)" : ", ...";
  return text;
}

std::string AutotuneHead(const AutotuneInfo& tuned) {
  std::string text = fmt::format("line {}: ", tuned.call->span.line);
  text += tuned.configs_known ? Count(tuned.configs.size(), "config")
          : tuned.configs.empty()
              ? std::string("configs known at run time only")
              : fmt::format("{} seen, more may come at run time",
                            Count(tuned.configs.size(), "config"));
  text += fmt::format(" ({}{})", FormWord(tuned.form),
                      tuned.configs_from.empty() ? "" : " " + Short(tuned.configs_from));
  return text;
}

std::string AutotuneText(const SyntaxTree& tree, const AutotuneInfo& tuned) {
  std::string text = Row(4, "autotune", AutotuneHead(tuned));
  for (std::size_t i = 0; i < std::min(tuned.configs.size(), kConfigsShown); ++i)
    text += fmt::format("      {}\n", ConfigText(tree, tuned.configs[i]));
  if (tuned.configs.size() > kConfigsShown)
    text += fmt::format("      and {} more (--json has all)\n", tuned.configs.size() - kConfigsShown);
  const std::pair<const char*, const WordList*> lists[] = {
      {"key", &tuned.key},
      {"reset_to_zero", &tuned.reset_to_zero},
      {"restore_value", &tuned.restore_value}};
  for (const auto& [label, list] : lists) {
    if (list->node != nullptr)
      text += Row(6, label, WordsText(*list));
  }
  const auto settings = [&](const std::vector<Setting>& some) {
    for (const Setting& setting : some) {
      if (setting.name != "prune_configs_by" || tuned.prune.empty())
        text += Row(6, setting.name.empty() ? "**" : setting.name, Short(tree.Text(*setting.node)));
    }
  };
  settings(tuned.prune);
  settings(tuned.options);
  return text;
}

std::string KernelText(const SyntaxTree& tree, const KernelInfo& kernel) {
  std::string text = fmt::format("\n  kernel {}  line {}", kernel.qualified_name,
                                 kernel.definition->span.line);
  if (kernel.made != kernel.definition)
    text += fmt::format(", made of {} by a call in line {}", kernel.definition->text,
                        kernel.made->span.line);
  if (kernel.called_by_kernels)
    text += ", called by other kernels";
  text += "\n" + Row(4, "parameters", ParametersText(tree, kernel));
  std::string decorators;
  for (const DecoratorInfo& decorator : kernel.decorators) {
    decorators += fmt::format("{}{} (line {}{})", decorators.empty() ? "" : ", ", decorator.name,
                              decorator.node->span.line, decorator.by_call ? ", by call" : "");
  }
  text += Row(4, "decorators", decorators);
  for (const AutotuneInfo* tuned : kernel.autotunes) text += AutotuneText(tree, *tuned);
  for (const HeuristicsInfo* heuristics : kernel.heuristics) {
    std::string names;
    for (const Setting& setting : heuristics->values)
      names += (names.empty() ? "" : ", ") + setting.name;
    if (!heuristics->known)
      names += names.empty() ? "(only known at run time)" : ", ...";
    text += Row(4, "heuristics", fmt::format("line {}: {}", heuristics->call->span.line, names));
  }
  return text;
}

std::string SiteText(const SyntaxTree& tree, const LaunchSite& site) {
  const std::string target = Short(site.target) + (site.form == LaunchForm::kFn ? ".fn" : "");
  std::string text = fmt::format("line {}: {}", site.call->span.line, target);
  if (site.grid != nullptr)
    text += fmt::format("[{}], grid: {}", Short(tree.Text(*site.grid)), GridWord(site.grid_kind));
  if (site.form == LaunchForm::kWrapped || site.form == LaunchForm::kRun)
    text += fmt::format(", {}", FormWord(site.form));
  if (site.kernels.empty()) {
    text += ", of another file or known at run time only";
  } else if (site.kernels.size() > 1 || site.kernels.front()->qualified_name != site.target) {
    std::string names;
    for (const KernelInfo* kernel : site.kernels)
      names += (names.empty() ? "" : " or ") + kernel->qualified_name;
    text += ", runs " + names;
  }
  return fmt::format("    {}\n", text);
}

std::string MentionsText(const char* title, const std::vector<Mention>& mentions) {
  if (mentions.empty())
    return {};
  std::string text = fmt::format("\n  {}\n", title);
  for (const Mention& mention : mentions) {
    text += fmt::format("    line {}: {}{}\n", mention.node->span.line, Short(mention.what),
                        mention.at_import ? " (at import)" : "");
  }
  return text;
}

}  // namespace

std::string OutlineText(const OutlinedFile& file) {
  const SyntaxTree& tree = file.tree;
  const Outline& outline = file.outline;
  std::set<const Node*> functions;
  std::set<const Node*> tuned;
  for (const KernelInfo& kernel : outline.kernels) {
    functions.insert(kernel.definition);
    if (kernel.autotune != nullptr)
      tuned.insert(kernel.made);
  }
  std::string text = fmt::format(
      "{}: {}, {} autotuned, {}, {}\n", tree.path(), Count(functions.size(), "kernel"), tuned.size(),
      Count(outline.launchers.size(), "launcher"), Count(outline.warnings.size(), "warning"));
  for (std::size_t i = 0; i < outline.kernels.size(); ++i) {
    text += KernelText(tree, outline.kernels[i]);
    if (file.evaluated != nullptr && file.evaluated->by_kernel[i] != nullptr)
      text += EvaluatedText(*file.evaluated->by_kernel[i], 4);
  }
  for (const auto* other :
       file.evaluated == nullptr ? decltype(file.evaluated->others)() : file.evaluated->others)
    text += fmt::format("\n  {} (of {}), seen at run time only\n{}", other->name, other->function,
                        EvaluatedText(*other, 4));
  for (const LauncherInfo& launcher : outline.launchers) {
    text += fmt::format("\n  launcher {}  line {}\n", launcher.qualified_name,
                        launcher.definition->span.line);
    for (const LaunchSite* site : launcher.sites) text += SiteText(tree, *site);
  }
  std::string top;
  for (const LaunchSite& site : outline.launch_sites) {
    if (site.function == nullptr)
      top += SiteText(tree, site);
  }
  if (!top.empty())
    text += "\n  launches at module level\n" + top;
  text += MentionsText("tensor descriptors", outline.descriptors);
  text += MentionsText("device properties read by host code", outline.device_reads);
  if (!outline.warnings.empty())
    text += "\n  warnings\n";
  for (const Warning& warning : outline.warnings) {
    text += Row(4, fmt::format("{}:{}", warning.line, warning.column + 1),
                fmt::format("{}: {}", warning.code, warning.message));
  }
  return text;
}

}  // namespace croq::cli
