#include "croq/cli/app.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "croq/base/suggest.h"
#include "croq/cli/commands.h"
#include "croq/protocol/version.h"

namespace croq::cli {
namespace {

using Add = Command (*)(CLI::App&);

constexpr Add kCommands[] = {
    // One a line.
    AddTuneCommand,
    AddOutlineCommand,
    AddCheckCommand,
    AddPinCommand,
    AddShowCommand,
    AddExplainCommand,
    AddDiffCommand,
    AddIdeasCommand,
    AddRecordCommand,
    AddSessionsCommand,
    AddExportCommand,
    AddProfileCommand,
    AddClassifyCommand,
    AddDoctorCommand,
    AddContractCommand,
    AddJudgeCommand,
};

constexpr const char* kFooter =
    "Examples:\n"
    "  croq doctor                     is everything here that tuning needs?\n"
    "  croq tune matmul_f16fp32_4096x4096x4096\n"
    "  croq contract show triton       the rules that candidates are held to\n"
    "\n"
    "Each command has its own --help. Exit codes: 0 done, 1 fatal, 2 usage, 3 no verified kernel\n"
    "found, 130 interrupted.";

int ReportError(const Error& error) {
  fmt::print(stderr, "croq: {}\n", error.message);
  return error.kind == ErrorKind::kUsage ? kExitUsage : kExitFatal;
}

/// CLI11 lists a word that is no command among unexpected arguments; this says what there is.
Status CheckCommandName(int argc, const char* const* argv, const CLI::App& app) {
  if (argc < 2 || argv[1][0] == '-')
    return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1])
      return {};
    names.push_back(command->get_name());
  }
  const std::string near = Suggest(argv[1], names);
  return UsageFailure(fmt::format("unknown command '{}'; there are {}{}", argv[1],
                                  fmt::join(names, ", "),
                                  near.empty() ? "" : " (did you mean " + near + "?)"));
}

/// The parser that the arguments got to: its help is the one to look into.
const CLI::App& Deepest(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : Deepest(*parsed.front());
}

std::string CommandLine(const CLI::App& app) {
  return app.get_parent() == nullptr ? "croq"
                                     : CommandLine(*app.get_parent()) + " " + app.get_name();
}

/// Help and version go to stdout; everything else is the caller's mistake.
int ReportParse(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0)
    return app.exit(error);
  const std::string name = CommandLine(Deepest(app));
  return ReportError(Error{ErrorKind::kUsage,
                      fmt::format("{}\nRun `{} --help` for what it takes.", error.what(), name)});
}

int ParseAndRun(int argc, const char* const* argv) {
  CLI::App app("Tunes GPU kernels written in Triton and referees them.");
  app.name("croq");
  app.set_version_flag("--version", fmt::format("croq {}", protocol::kCroqVersion));
  app.footer(kFooter);
  app.require_subcommand(1);
  std::vector<Command> commands;
  for (const Add add : kCommands) commands.push_back(add(app));
  if (argc < 2) {
    fmt::print(stderr, "{}", app.help());
    return kExitUsage;
  }
  if (const Status known = CheckCommandName(argc, argv, app); !known)
    return ReportError(known.error());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ReportParse(app, error);
  }
  for (const Command& command : commands) {
    if (!command.app->parsed())
      continue;
    const Result<int> code = command.run();
    return code ? *code : ReportError(code.error());
  }
  return kExitUsage;
}

}  // namespace

int RunApp(int argc, const char* const* argv) {
  try {
    const int code = ParseAndRun(argc, argv);
    if (std::fflush(stdout) == 0)
      return code;
    fmt::print(stderr, "croq: cannot write the output: {}\n", std::strerror(errno));
  } catch (const std::system_error& error) {  // what fmt::print throws where stdout is full
    fmt::print(stderr, "croq: {}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "croq: internal error: {}\n", error.what());
  }
  return kExitFatal;
}

}  // namespace croq::cli
