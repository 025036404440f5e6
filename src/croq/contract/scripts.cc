#include "croq/contract/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "croq/base/files.h"
#include "croq/model/iteration.h"

namespace croq::contract {
namespace {

const std::array<std::string, 8> kPlaceholders{"<gpu>", "<shape_key>", "<model>", "<NNN>",
                                               "<tag>", "<up>",        "<src>",   "<path_folders>"};
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

using Values = std::array<std::string, kPlaceholders.size()>;

Result<Values> ValuesOf(const ScriptContext& context) {
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
      context.tag,   up.string(),     source,      folders};
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
  CROQ_ASSIGN(const Values values, ValuesOf(context));
  const auto render = [&](const std::string& commands) {
    return Fill(Compose(contract.scripts.preamble, commands), values);
  };
  return RenderedScripts{render(contract.scripts.build), render(contract.scripts.run),
                         render(contract.scripts.profile)};
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
