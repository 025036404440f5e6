#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/interrupt.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/record_run.h"
#include "croq/cli/scratch_folder.h"
#include "croq/model/kernel_tuner_cache.h"

namespace croq::cli {
namespace {

struct RecordArguments {
  std::string subject;
  std::string device = "auto";
  std::string output;
  std::string workers;
  std::int64_t limit = 0;
  std::uint64_t seed = 1;
  bool kernel_tuner = false;
};

/// A recording that is there already, in Kernel Tuner's format.
Result<int> Export(const RecordArguments& arguments) {
  CROQ_ASSIGN(const Recording recording, ReadRecording(arguments.subject));
  const std::string text = KernelTunerCache(recording);
  if (arguments.output.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kExitDone;
  }
  CROQ_TRY(WriteOutput(arguments.output, text));
  return kExitDone;
}

Result<int> RunRecord(const RecordArguments& arguments) {
  if (arguments.kernel_tuner) return Export(arguments);
  CROQ_ASSIGN(const ScratchFolder scratch, ScratchFolder::Make());
  TuneArguments tune;
  tune.keys = {arguments.subject};
  tune.device = arguments.device;
  tune.workers = arguments.workers;
  tune.out = scratch.path().string();
  CROQ_ASSIGN(const TuneRequest request, CheckTuneArguments(tune));
  if (request.shapes.size() != 1 || request.device.kind == DeviceArgument::Kind::kReplay)
    return UsageFailure("croq record takes a shape key and a GPU: croq record "
                        "matmul_nt_f16fp32_1024x1024x1024 --device cuda:0");
  CROQ_ASSIGN(TuneSetup setup, PrepareTune(tune));
  if (!setup.runner) {
    return UsageFailure(fmt::format("croq record measures, and there is no GPU to measure on ({})",
                                    setup.resolved.reason.empty() ? setup.resolved.argument
                                                                  : setup.resolved.reason));
  }
  const std::atomic<bool>& interrupted = CatchInterrupts();
  const ShapeKey& shape = request.shapes.front();
  const std::string file = arguments.output.empty() ? shape.text + ".jsonl" : arguments.output;
  CROQ_ASSIGN(const Recording recording,
              Record(setup, shape, {file, arguments.limit, arguments.seed}, interrupted));
  const double best = recording.BestMs();
  fmt::print("{}: {} configurations of {} ({}), best {:.1f} TFLOPS{}\n", file,
             recording.trials.size(), shape.text, recording.whole ? "the whole space" : "a part",
             best > 0 ? shape.Flops() / best / 1e9 : 0,
             best > 0 && recording.cublas_ms > 0
                 ? fmt::format(", {:.3f} of cuBLAS", recording.cublas_ms / best) : "");
  return interrupted.load() ? kExitInterrupted : kExitDone;
}

}  // namespace

Command AddRecordCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<RecordArguments>();
  CLI::App* app = parent.add_subcommand(
      "record", "Measure a whole configuration space once, for replays (docs/recordings.md)");
  app->add_option("subject", arguments->subject,
                  "A shape key; with --kernel-tuner a recording")
      ->type_name("KEY")
      ->required();
  AddDeviceOption(*app, arguments->device);
  app->add_option("-o,--output", arguments->output, "File to write to (default: KEY.jsonl); a part of a "
                  "recording is gone on with")
      ->type_name("FILE");
  app->add_option("--limit", arguments->limit, "Draw so many configurations instead of all")
      ->check(CLI::PositiveNumber);
  app->add_option("--seed", arguments->seed, "Seed of the inputs and of what --limit draws (1)");
  app->add_option("--workers", arguments->workers, "Compile workers (one a core)");
  app->add_flag("--kernel-tuner", arguments->kernel_tuner,
                "Print a recording as a cache file of Kernel Tuner's simulation mode");
  app->footer("Examples:\n  croq record matmul_nt_f16fp32_1024x1024x1024 -o nt1024.jsonl\n"
              "  croq tune matmul_nt_f16fp32_1024x1024x1024 --device replay:nt1024.jsonl");
  return {app, [arguments] { return RunRecord(*arguments); }};
}

}  // namespace croq::cli
