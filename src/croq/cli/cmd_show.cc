#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/session_choice.h"
#include "croq/cli/session_text.h"

namespace croq::cli {
namespace {

constexpr std::int64_t kLastTrials = 10;

struct ShowArguments {
  std::string subject;
  std::string session;
  std::string out = ".";
  bool json = false;
};

Result<SessionView> ReadView(const SessionPaths& paths, const journal::Queries& read) {
  SessionView view;
  view.paths = paths;
  CROQ_ASSIGN(view.summary, read.Summary());
  CROQ_ASSIGN(view.facts, read.Facts());
  CROQ_ASSIGN(view.iterations, read.Iterations());
  CROQ_ASSIGN(view.attempts, read.Attempts());
  const std::int64_t offset = std::max<std::int64_t>(0, view.summary.trials - kLastTrials);
  CROQ_ASSIGN(view.last_trials, read.Trials(kLastTrials, offset));
  return view;
}

Result<int> Show(const ShowArguments& arguments) {
  const bool iteration = LooksLikeIteration(arguments.subject);
  if (!iteration && !arguments.session.empty() && !arguments.subject.empty()) {
    return UsageFailure(fmt::format("'{}' is no iteration (such as iter003): --session goes with "
                                    "one", arguments.subject));
  }
  const std::string& name = iteration || arguments.subject.empty() ? arguments.session
                                                                   : arguments.subject;
  CROQ_ASSIGN(const journal::SessionEntry entry, ChooseSession(arguments.out, name));
  CROQ_ASSIGN(const journal::JournalReader reader, journal::JournalReader::Open(entry.paths));
  if (iteration) {
    CROQ_ASSIGN(const Iteration one, ChooseIteration(reader.read(), arguments.subject));
    if (arguments.json) {
      PrintJson(IterationJson(entry.paths, one));
    } else {
      fmt::print("{}", FormatIteration(entry.paths, one));
    }
    return kExitDone;
  }
  CROQ_ASSIGN(const SessionView view, ReadView(entry.paths, reader.read()));
  if (arguments.json) {
    PrintJson(SessionJson(view));
  } else {
    fmt::print("{}", FormatSession(view));
  }
  return kExitDone;
}

}  // namespace

Command AddShowCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App* app = parent.add_subcommand("show", "Show a session, or one iteration of it");
  app->add_option("what", arguments->subject,
                  "A session or a part of its name, or an iteration such as iter003 "
                  "(default: the session that was written to last)")
      ->type_name("SESSION|ITER");
  app->add_option("--session", arguments->session,
                  "The session that the iteration is of (default: the one written to last)")
      ->type_name("SESSION");
  AddOutOption(*app, arguments->out);
  AddJsonOption(*app, arguments->json, "it as JSON");
  app->footer("Examples:\n"
              "  croq show matmul_f16fp32_4096x4096x4096\n"
              "  croq show iter003 --session matmul_f16fp32_4096x4096x4096");
  return {app, [arguments] { return Show(*arguments); }};
}

}  // namespace croq::cli
