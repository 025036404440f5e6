#include "croq/contract/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "croq/base/files.h"
#include "croq/model/iteration.h"

namespace croq::contract {
namespace {

const std::array<std::string, 10> kPlaceholders{"<gpu>",   "<shape_key>",    "<model>",   "<NNN>",
                                                "<tag>",   "<up>",           "<src>",     "<path_folders>",
                                                "<kernel>", "<options>"};
constexpr std::string_view kShebang = "#!/usr/bin/env bash\n";

/// The placeholder that starts at `at`, or nothing: < letters or _ >.
std::string_view PlaceholderAt(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() &&
         (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
    ++end;
  }
  if (end == at + 1 || end >= text.size() || text[end] != '>')
    return {};
  return text.substr(at, end + 1 - at);
}

/// Values go into the contract's commands unquoted, so each must be one plain word.
Status CheckPlain(std::string_view what, const std::string& value) {
  const bool plain =
      !value.empty() && value != "." && value != ".." && value.front() != '-' &&
      std::ranges::all_of(value, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
      });
  if (plain)
    return {};
  return UsageFailure(
      fmt::format("{} '{}' can't stand in a path: use letters, digits, '.', '_' and "
                  "'-', not starting with '-'",
                  what, value));
}

Result<std::string> JoinPathFolders(const std::vector<std::filesystem::path>& folders) {
  std::string joined;
  for (const std::filesystem::path& folder : folders) {
    if (folder.string().find(':') != std::string::npos) {
      return UsageFailure(
          fmt::format("the folder {} can't stand in PATH, as its name has a ':'; "
                      "use an interpreter in another folder",
                      folder.string()));
    }
    if (!joined.empty())
      joined += ':';
    joined += ShellQuote(folder.string());
  }
  return joined;
}

/// Each word as a shell reads it back; plain words stay as they are.
std::string JoinWords(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) {
    const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789-_=.,/") == std::string::npos;
    joined += (joined.empty() ? "" : " ") + (plain ? word : ShellQuote(word));
  }
  return joined;
}

using Values = std::array<std::string, kPlaceholders.size()>;

Result<Values> ValuesOf(const Contract& contract, const ScriptContext& context) {
  const SessionPaths& paths = context.paths;
  CROQ_TRY(CheckPlain("GPU key", paths.gpu_key));
  CROQ_TRY(CheckPlain("DSL", paths.dsl));
  CROQ_TRY(CheckPlain("shape key", paths.shape_key));
  CROQ_TRY(CheckPlain("model name", paths.model));
  CROQ_TRY(CheckPlain("tag", context.tag));
  const std::string name = IterationName(context.iteration);
  const auto from_out = [&](const std::filesystem::path& path) {
    return path.lexically_relative(paths.out);
  };
  std::filesystem::path up;
  for ([[maybe_unused]] const auto& part : from_out(paths.Commands())) up /= "..";
  CROQ_ASSIGN(const std::string folders, JoinPathFolders(context.path_folders));
  const std::string source = from_out(paths.Source(name + "_" + context.tag)).string();
  return Values{
      paths.gpu_key, paths.shape_key, paths.model, name.substr(name.find_first_of("0123456789")),
      context.tag,   up.string(),     source,      folders,
      ShellQuote(context.kernel_filter.empty() ? contract.profile.baseline_kernel
                                               : context.kernel_filter),
      JoinWords(contract.profile.options)};
}

std::string Fill(std::string_view text, const Values& values) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view found = text[at] == '<' ? PlaceholderAt(text, at) : std::string_view();
    const auto known = std::ranges::find(kPlaceholders, found);
    if (known == kPlaceholders.end()) {
      out += text[at++];
    } else {
      out += values[static_cast<std::size_t>(known - kPlaceholders.begin())];
      at += found.size();
    }
  }
  return out;
}

/// The interpreter line, the preamble, then the template's commands.
std::string Compose(const std::string& preamble, std::string_view commands) {
  std::string_view first = kShebang;
  if (commands.starts_with("#!")) {
    first = commands.substr(0, std::min(commands.find('\n'), commands.size() - 1) + 1);
    commands.remove_prefix(first.size());
  }
  return fmt::format("{}{}\n{}", first, preamble, commands);
}

}  // namespace

std::string ShellQuote(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string KernelFilter(std::span<const std::string> kernels) {
  std::string names;
  for (const std::string& kernel : kernels) {
    names += names.empty() ? "" : "|";
    for (const char c : kernel) {  // a name of Python's has none of these, a mangled one may
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos)
        names += '\\';
      names += c;
    }
  }
  return "regex:^(" + names + ")(_[0-9][0-9A-Za-z_]*)?$";
}

std::string FirstKernelOf(const LaunchPlan& plan) {
  for (const PlanStep& step : plan.steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch != nullptr && static_cast<std::size_t>(launch->kernel) < plan.kernels.size())
      return plan.kernels[static_cast<std::size_t>(launch->kernel)].entry;
  }
  return {};
}

std::string KernelFilterOf(const LaunchPlan& plan) {
  const std::string kernel = FirstKernelOf(plan);
  return kernel.empty() ? "" : KernelFilter(std::array{kernel});
}

std::span<const std::string> KnownPlaceholders() {
  return kPlaceholders;
}

std::vector<std::string> UnknownPlaceholders(std::string_view text) {
  std::vector<std::string> unknown;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string found(PlaceholderAt(text, at));
    if (!found.empty() && std::ranges::find(kPlaceholders, found) == kPlaceholders.end()) {
      unknown.push_back(found);
    }
  }
  return unknown;
}

Result<RenderedScripts> RenderScripts(const Contract& contract, const ScriptContext& context) {
  CROQ_ASSIGN(const Values values, ValuesOf(contract, context));
  const auto render = [&](const std::string& commands) {
    return Fill(Compose(contract.scripts.preamble, commands), values);
  };
  const Scripts& scripts = contract.scripts;
  const std::string profile =
      fmt::format("{}\n{}\n{}", scripts.profile_wrapper, scripts.profile, scripts.profile_details);
  return RenderedScripts{render(scripts.build), render(scripts.run), render(profile)};
}

Status WriteScripts(const Contract& contract, const ScriptContext& context) {
  CROQ_ASSIGN(const RenderedScripts scripts, RenderScripts(contract, context));
  const SessionPaths& paths = context.paths;
  CROQ_TRY(MakeDirectories(paths.Commands()));
  CROQ_TRY(WriteFileAtomic(paths.BuildScript(context.iteration), scripts.build, true));
  CROQ_TRY(WriteFileAtomic(paths.RunScript(context.iteration), scripts.run, true));
  return WriteFileAtomic(paths.ProfileScript(context.iteration), scripts.profile, true);
}

}  // namespace croq::contract
