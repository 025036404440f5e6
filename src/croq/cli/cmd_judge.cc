#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/judge_run.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"

namespace croq::cli {
namespace {

constexpr const char* kDefaultModel = "agent";
constexpr const char* kDefaultIdea = "none stated";

struct JudgeArguments {
  std::string file;
  std::string shape;
  std::string idea = kDefaultIdea;
  TuneArguments tune;
};

Status CheckFile(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) return {};
  return UsageFailure(fmt::format("{}: {}", path.string(),
                                  error ? error.message() : "it is no file to judge"));
}

/// One line, as the logs hold it.
Status CheckIdea(const std::string& idea) {
  if (!idea.empty() && idea.size() <= 500 && idea.find_first_of("\n\r\t") == std::string::npos) {
    return {};
  }
  return UsageFailure("--idea takes one line of 1 to 500 bytes without tabs");
}

Result<int> JudgeCommand(JudgeArguments arguments) {
  CROQ_TRY(CheckFile(arguments.file));
  CROQ_TRY(CheckIdea(arguments.idea));
  arguments.tune.keys = {arguments.shape};
  CROQ_ASSIGN(TuneSetup setup, PrepareTune(arguments.tune));
  CROQ_ASSIGN(const Judged judged, JudgeFile(setup, arguments.file, arguments.idea));
  if (arguments.tune.json) {
    PrintJson(VerdictJson(setup, judged));
  } else {
    fmt::print("{}", FormatVerdict(setup, judged));
  }
  return judged.verdict.iteration ? kExitDone : kExitNoKernel;
}

}  // namespace

Command AddJudgeCommand(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("judge", "Judge one candidate that somebody wrote");
  const auto arguments = std::make_shared<JudgeArguments>();
  arguments->tune.model = kDefaultModel;
  app->add_option("file", arguments->file, "The candidate: a script with kernel_fn(a, b)")
      ->required()
      ->type_name("FILE");
  app->add_option("--shape", arguments->shape,
                  "The problem it solves, e.g. matmul_f16fp32_4096x4096x4096")
      ->required()
      ->type_name("KEY");
  app->add_option("--idea", arguments->idea, "What its author says was tried, one line");
  AddModelOption(*app, arguments->tune.model);
  AddDslOption(*app, arguments->tune.dsl);
  AddDeviceOption(*app, arguments->tune.device);
  AddOutOption(*app, arguments->tune.out);
  AddJsonOption(*app, arguments->tune.json, "the verdict as one object (docs/judge.md)");
  app->footer("Example: croq judge mine.py --shape matmul_f16fp32_4096x4096x4096 --model me --json\n"
              "Exit codes: 0 measured (KEEP or DISCARD), 1 fatal, 2 usage, 3 no verdict: it broke\n"
              "the rule, or did not build, run or give the right numbers.");
  return {app, [arguments] { return JudgeCommand(*arguments); }};
}

}  // namespace croq::cli
