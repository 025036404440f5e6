#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <memory>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/interrupt.h"
#include "croq/cli/tune_arguments.h"
#include "croq/cli/tune_replay.h"
#include "croq/cli/tune_session.h"
#include "croq/cli/tune_setup.h"

namespace croq::cli {
namespace {

Result<int> Tune(const TuneArguments& arguments) {
  CROQ_ASSIGN(const TuneRequest request, CheckTuneArguments(arguments));
  if (request.device.kind == DeviceArgument::Kind::kReplay) {
    return TuneReplay(arguments, request, CatchInterrupts());
  }
  CROQ_ASSIGN(TuneSetup setup, PrepareTune(arguments));
  if (!setup.resolved.reason.empty() && !arguments.json) {
    fmt::print("device {}: {}\n", setup.resolved.argument, setup.resolved.reason);
  }
  const std::atomic<bool>& interrupted = CatchInterrupts();
  int code = kExitDone;
  for (const ShapeKey& shape : setup.request.shapes) {
    CROQ_ASSIGN(const int one, TuneOneShape(setup, shape, interrupted));
    code = std::max(code, one);
    if (interrupted.load()) break;
  }
  for (const std::filesystem::path& file : setup.request.files) {
    if (interrupted.load()) break;
    CROQ_ASSIGN(const int one, TuneOneFile(setup, file, interrupted));
    code = std::max(code, one);
  }
  return code;
}

}  // namespace

Command AddTuneCommand(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("tune", "Tune a problem, or a kernel of your own, for a device");
  auto arguments = std::make_shared<TuneArguments>();
  AddTuneArguments(*app, *arguments);
  app->footer("Examples: croq tune matmul_nt_f16fp32_8192x8192x8192 --time 2m\n"
              "          croq tune examples/softmax.py --widen\n"
              "The same command again goes on with the session. Exit codes: 0 done, 1 fatal,\n"
              "2 usage, 3 no verified kernel found, 130 interrupted.");
  return {app, [arguments] { return Tune(*arguments); }};
}

}  // namespace croq::cli
