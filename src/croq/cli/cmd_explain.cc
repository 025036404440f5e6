#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/explain_session.h"
#include "croq/cli/explain_text.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/session_choice.h"

namespace croq::cli {
namespace {

namespace fs = std::filesystem;

struct ExplainArguments {
  std::string subject;
  std::string session;
  std::string output;
  std::string out = ".";
};

Result<std::string> IterationPage(const ExplainArguments& arguments,
                                  const journal::SessionEntry& entry,
                                  const journal::Queries& read) {
  CROQ_ASSIGN(const Iteration iteration, ChooseIteration(read, arguments.subject));
  CROQ_ASSIGN(const IterationFacts facts,
              ReadIterationFacts(entry.paths, read, iteration, nullptr));
  CROQ_ASSIGN(const std::vector<Iteration> iterations, read.Iterations());
  const std::optional<Iteration> parent = ParentOf(iterations, facts);
  if (!parent) return ExplainIteration(facts, nullptr);
  CROQ_ASSIGN(const IterationFacts before,
              ReadIterationFacts(entry.paths, read, *parent, nullptr));
  return ExplainIteration(facts, &before);
}

/// The plot goes beside the page, or into it where the page goes to a pipe; a terminal shows none.
Result<std::string> SessionPage(const ExplainArguments& arguments,
                                const journal::SessionEntry& entry, const journal::Queries& read) {
  CROQ_ASSIGN(const SessionPath path,
              ReadSessionPath(journal::SessionName(entry.paths), read));
  const bool terminal = arguments.output.empty() && ::isatty(STDOUT_FILENO) == 1;
  if (terminal) return ExplainSession(path, "(A plot of TFLOPS by round: with -o FILE.md.)");
  const std::string svg = DrawSvg(PlotOf(path));
  if (svg.empty() || arguments.output.empty()) return ExplainSession(path, svg);
  const fs::path picture = fs::path(arguments.output).replace_extension(".svg");
  CROQ_TRY(WriteOutput(picture, svg));
  return ExplainSession(path, fmt::format("![TFLOPS by round]({})", picture.filename().string()));
}

Result<int> Explain(const ExplainArguments& arguments) {
  if (fs::path(arguments.output).extension() == ".svg") {
    return UsageFailure(fmt::format("-o '{}': the page is Markdown, and a session's plot goes beside "
                                    "it as .svg; name a .md", arguments.output));
  }
  const bool iteration = LooksLikeIteration(arguments.subject);
  if (!iteration && !arguments.session.empty() && !arguments.subject.empty()) {
    return UsageFailure(fmt::format("'{}' is no iteration (such as iter003): --session goes with "
                                    "one", arguments.subject));
  }
  const bool by_option = iteration || arguments.subject.empty();
  const std::string& name = by_option ? arguments.session : arguments.subject;
  CROQ_ASSIGN(const journal::SessionEntry entry, ChooseSession(arguments.out, name));
  CROQ_ASSIGN(const journal::JournalReader reader, journal::JournalReader::Open(entry.paths));
  std::string page;
  if (iteration) {
    CROQ_ASSIGN(page, IterationPage(arguments, entry, reader.read()));
  } else {
    CROQ_ASSIGN(page, SessionPage(arguments, entry, reader.read()));
  }
  if (arguments.output.empty()) {
    std::fwrite(page.data(), 1, page.size(), stdout);
    return kExitDone;
  }
  CROQ_TRY(WriteOutput(arguments.output, page));
  return kExitDone;
}

}  // namespace

Command AddExplainCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* app =
      parent.add_subcommand("explain", "Say why a kernel came about, or a session's whole path");
  app->add_option("what", arguments->subject,
                  "An iteration such as iter003, or a session or a part of its name "
                  "(default: the session that was written to last)")
      ->type_name("ITER|SESSION");
  AddSessionOption(*app, arguments->session, "the iteration is");
  app->add_option("-o,--output", arguments->output,
                  "Markdown file to write to; a session's plot goes beside it as .svg (default: "
                  "stdout, the plot in the page unless it is a terminal)")
      ->type_name("FILE");
  AddOutOption(*app, arguments->out);
  app->footer("Examples:\n  croq explain iter004\n"
              "  croq explain matmul_f16fp32_4096x4096x4096 -o path.md");
  return {app, [arguments] { return Explain(*arguments); }};
}

}  // namespace croq::cli
