#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/classify_text.h"
#include "croq/cli/commands.h"
#include "croq/cli/device_argument.h"
#include "croq/cli/diff_text.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/profile_run.h"
#include "croq/cli/session_choice.h"

namespace croq::cli {
namespace {

using nlohmann::json;

Result<ProfileSubject> ChooseSubject(const ProfileArguments& arguments) {
  CROQ_ASSIGN(const journal::SessionEntry entry, ChooseSession(arguments.out, arguments.session));
  CROQ_ASSIGN(const journal::JournalReader reader, journal::JournalReader::Open(entry.paths));
  ProfileSubject subject;
  subject.paths = entry.paths;
  subject.paths.out = std::filesystem::absolute(subject.paths.out).lexically_normal();
  CROQ_ASSIGN(subject.iteration, ChooseIteration(reader.read(), arguments.iteration));
  CROQ_TRY(ReadSession(reader.read(), subject));
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(subject.contract, contract::FindContract(layout.contracts, arguments.dsl));
  return subject;
}

/// What is known without counters, said to be so. `problem`: ncu's, empty where it was not asked.
Result<int> PrintStatic(const ProfileSubject& subject, const ProfileArguments& arguments,
                        std::string_view problem, const std::string& why, int code) {
  CROQ_ASSIGN(const profile::KernelProfile known, ProfileStatically(subject));
  if (arguments.json) {
    json object = profile::ToJson(known);
    for (const char* key : {"level", "runner_up", "kernel"}) {
      if (object.value(key, json()) == "") object[key] = nullptr;
    }
    object["iteration"] = subject.iteration.Name();
    object["problem"] = problem.empty() ? json() : json(problem);
    object["reason"] = why;
    PrintJson(object);
    return code;
  }
  fmt::print("{}: {} (static: no counter was read), confidence {}\n", subject.iteration.Name(),
             known.bottleneck, known.confidence);
  TextTable table;
  for (const auto& [name, figure] : known.figures)
    table.AddRow({name, FigureText(name, figure.value), figure.metric});
  fmt::print("{}", table.Render(2));
  return code;
}

Result<int> RunProfile(const ProfileArguments& arguments) {
  CROQ_TRY(ParseDevice(arguments.device));
  CROQ_ASSIGN(const ProfileSubject subject, ChooseSubject(arguments));
  if (arguments.no_profile)
    return PrintStatic(subject, arguments, "", "--no-profile", kExitDone);
  CROQ_ASSIGN(const backend::ProfileOutcome outcome, arguments.via == "runner"
                                                         ? ProfileInRunner(subject, arguments)
                                                         : ProfileScript(subject, arguments));
  if (!outcome.report) {
    fmt::print(stderr, "croq: no profile of {} ({}): {}\n", subject.iteration.Name(),
               NameOf(*outcome.problem), outcome.reason);
    // What can be said without counters is said all the same; the exit code tells them apart.
    const auto printed =
        PrintStatic(subject, arguments, NameOf(*outcome.problem), outcome.reason, kExitFatal);
    return printed ? *printed : kExitFatal;
  }
  if (arguments.json) {
    json object = *outcome.report;
    object["iteration"] = subject.iteration.Name();
    object["seconds"] = outcome.seconds;
    object["static"] = false;
    PrintJson(object);
  } else {
    fmt::print("{}\n{}", subject.iteration.Name(), FormatReport(*outcome.report));
  }
  return kExitDone;
}

}  // namespace

Command AddProfileCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<ProfileArguments>();
  CLI::App* app = parent.add_subcommand(
      "profile", "Profile an iteration with Nsight Compute and say what bounds it");
  app->add_option("ITER", arguments->iteration, "Which one, such as iter003")->required();
  AddSessionOption(*app, arguments->session, "it is");
  app->add_option("--via", arguments->via,
                  "script: its own profile script; runner: its plan in croq-runner, faster "
                  "(default: script)")
      ->check(CLI::IsMember({"script", "runner"}));
  constexpr double kLongestSeconds = 30.0 * 24 * 3600;
  RequirePositive(*app->add_option("--deadline", arguments->deadline_seconds,
                                   "Seconds until it is given up (300)")
                       ->type_name("S"),
                  kLongestSeconds);
  app->add_flag("--no-profile", arguments->no_profile,
                "Read no counters: only what build and time tell, said to be static");
  AddDeviceOption(*app, arguments->device);
  AddDslOption(*app, arguments->dsl);
  AddOutOption(*app, arguments->out);
  AddJsonOption(*app, arguments->json, "the verdict as JSON");
  app->footer("Example:\n  croq profile iter003 --session matmul_f16fp32_4096x4096x4096");
  return {app, [arguments] { return RunProfile(*arguments); }};
}

}  // namespace croq::cli
