#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/backend/purity_check.h"
#include "croq/cli/app.h"
#include "croq/cli/check_report.h"
#include "croq/cli/commands.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/source_file.h"
#include "croq/source/names.h"
#include "croq/source/outline.h"

namespace croq::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  int iteration = 1;
  std::vector<std::string> entries;
  std::string dsl = "triton";
  bool json = false;
  bool sarif = false;
};

/// The functions of a file, in its order.
std::vector<std::string> FunctionsOf(const source::SyntaxTree& tree) {
  std::vector<std::string> names;
  source::Walk(tree.root(), [&](const source::Node& node) {
    if (node.Is(source::Kind::kFunctionDef) || node.Is(source::Kind::kAsyncFunctionDef))
      names.push_back(source::QualifiedName(node));
    return true;
  });
  return names;
}

/// What is wrong with an entry that the file does not have: that is no finding, it was mistyped.
std::optional<std::string> MissingEntry(const source::SyntaxTree& tree,
                                        const std::vector<std::string>& entries) {
  if (entries.empty())
    return std::nullopt;
  std::vector<std::string> names = FunctionsOf(tree);
  std::vector<std::string> known = names;
  const source::Names bound(tree);
  for (const source::Binding* binding : bound.BindingsIn(tree.root()))
    known.emplace_back(binding->name);
  const auto missing = std::ranges::find_if(entries, [&](const std::string& entry) {
    return std::ranges::find(known, entry) == known.end();
  });
  if (missing == entries.end())
    return std::nullopt;
  constexpr std::size_t kMostNamed = 20;
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  return fmt::format("{}: --entry {}: there is no such function; there are {}{}", tree.path(),
                     *missing, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

CheckedFile Judge(backend::ParsedFile file, const contract::Contract& contract,
                  const source::PurityOptions& options) {
  CheckedFile checked;
  checked.path = file.path;
  if (file.state == backend::ParsedFile::State::kUnreadable) {
    checked.unreadable = file.message;
    return checked;
  }
  if (file.tree)
    checked.unreadable = MissingEntry(*file.tree, options.entries);
  if (checked.unreadable)
    return checked;
  checked.report = backend::ReportOn(file, contract, options);
  if (!file.tree)
    return checked;
  for (const source::Finding& finding : checked.report.findings)
    checked.lines.emplace_back(file.tree->Line(finding.line));
  return checked;
}

int Print(const CheckArguments& arguments, const std::vector<CheckedFile>& files) {
  if (arguments.sarif || arguments.json) {
    PrintJson(arguments.sarif ? CheckSarif(files) : CheckJson(files, arguments.iteration));
  }
  for (const CheckedFile& file : files) {
    if (file.unreadable)
      fmt::print(stderr, "croq: {}\n", *file.unreadable);
    else if (!arguments.json && !arguments.sarif)
      fmt::print("{}", CheckText(file));
  }
  return ExitCodeOf(files);
}

Result<int> Run(const CheckArguments& arguments) {
  if (arguments.json && arguments.sarif)
    return UsageFailure("--json and --sarif are two formats; name one of them");
  CROQ_ASSIGN(SourceFiles reader, SourceFiles::Open(arguments.dsl, arguments.files.size()));
  const std::vector<std::filesystem::path> paths(arguments.files.begin(), arguments.files.end());
  const source::PurityOptions options{arguments.iteration, arguments.entries};
  std::vector<CheckedFile> files(paths.size());
  CROQ_TRY(reader.ReadAll(paths, [&](std::size_t index, backend::ParsedFile file) {
    files[index] = Judge(std::move(file), reader.contract(), options);
  }));
  return Print(arguments, files);
}

}  // namespace

Command AddCheckCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* app = parent.add_subcommand(
      "check", "Judge files by the Pure Implementation Rule: the compute is @triton.jit code");
  app->add_option("files", arguments->files, "Python files; nothing of them is run")
      ->type_name("FILE")
      ->required();
  RequireWhole(
      *app->add_option(
              "--iter", arguments->iteration,
              "Judge as this iteration: 0 is the baseline, which may call torch.matmul and "
              "autotune (default: 1)")
           ->type_name("N"));
  app->add_option("--entry", arguments->entries,
                  "The launcher: a function, or Class.method; may be repeated (default: the entry "
                  "of the file's CROQ table, else kernel_fn, else each function that launches)")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  AddDslOption(*app, arguments->dsl);
  AddJsonOption(*app, arguments->json, "the findings as JSON");
  app->add_flag("--sarif", arguments->sarif, "Print the findings as SARIF 2.1.0");
  app->footer(
      "Exit codes: 0 all accepted, 1 one is rejected, 2 usage or a file that can't be read.\n"
      "docs/purity.md explains every code.\n"
      "Example:\n  croq check kernel.py --entry softmax");
  return {app, [arguments] { return Run(*arguments); }};
}

}  // namespace croq::cli
