#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/diff_text.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/session_choice.h"

namespace croq::cli {
namespace {

struct DiffArguments {
  std::string before;
  std::string after;
  std::string session;
  std::string out = ".";
  bool json = false;
};

Result<int> Diff(const DiffArguments& arguments) {
  for (const std::string& name : {arguments.before, arguments.after}) {
    if (!LooksLikeIteration(name))
      return UsageFailure(fmt::format("'{}' is no iteration (such as iter003)", name));
  }
  CROQ_ASSIGN(const journal::SessionEntry entry,
              ChooseSession(arguments.out, arguments.session));
  CROQ_ASSIGN(const journal::JournalReader reader, journal::JournalReader::Open(entry.paths));
  CROQ_ASSIGN(const Iteration first, ChooseIteration(reader.read(), arguments.before));
  CROQ_ASSIGN(const Iteration second, ChooseIteration(reader.read(), arguments.after));
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(layout.contracts, entry.paths.dsl));
  const Result<SassReader> sass = SassReader::Find(layout, contract);
  const SassReader* program = sass ? &*sass : nullptr;
  CROQ_ASSIGN(IterationFacts before,
              ReadIterationFacts(entry.paths, reader.read(), first, program));
  CROQ_ASSIGN(IterationFacts after,
              ReadIterationFacts(entry.paths, reader.read(), second, program));
  if (!sass) {
    for (IterationFacts* facts : {&before, &after}) facts->no_sass = sass.error().message;
  }
  if (arguments.json) {
    PrintJson(DiffJson(before, after));
  } else {
    fmt::print("{}", FormatDiff(before, after));
  }
  return kExitDone;
}

}  // namespace

Command AddDiffCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<DiffArguments>();
  CLI::App* app = parent.add_subcommand("diff", "Compare two iterations of a session");
  app->add_option("before", arguments->before, "An iteration, such as iter003")
      ->type_name("ITER")
      ->required();
  app->add_option("after", arguments->after, "Another one")->type_name("ITER")->required();
  AddSessionOption(*app, arguments->session, "they are");
  AddOutOption(*app, arguments->out);
  AddJsonOption(*app, arguments->json, "it as JSON");
  app->footer("Shows what differs in configuration, figures, counters (of the stored profiles),\n"
              "instruction mix (nvdisasm on the stored cubins) and source.\n"
              "Example:\n  croq diff iter001 iter004 --session matmul_f16fp32_4096x4096x4096");
  return {app, [arguments] { return Diff(*arguments); }};
}

}  // namespace croq::cli
