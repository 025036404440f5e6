#include "croq/cli/record_run.h"

#include <fmt/format.h>

#include <memory>

#include "croq/base/clock.h"
#include "croq/cli/record_space.h"
#include "croq/cli/session_parts.h"
#include "croq/operators/operator.h"
#include "croq/search/strategy.h"
#include "croq/tune/baseline_stage.h"
#include "croq/tune/pipeline.h"
#include "croq/tune/recorder.h"

namespace croq::cli {
namespace {

std::string Today() { return FormatUtc(UnixMillis()).substr(0, 10); }

/// The file's trials where it is a part of what `fresh` is to become; none where there is no file.
Result<std::vector<RecordedTrial>> TrialsSoFar(const std::filesystem::path& file,
                                               const Recording& fresh) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::vector<RecordedTrial>{};
  Result<Recording> read = ReadRecording(file);
  const auto refuse = [&](const std::string& what) {
    return UsageFailure(fmt::format("{} is there already, and {}: give another file with -o, or "
                                    "remove it", file.string(), what));
  };
  if (!read) return refuse("it is no recording");
  if (read->shape.text != fresh.shape.text) return refuse("it is of " + read->shape.text);
  if (read->whole) return refuse("it is whole");
  if (read->device.name != fresh.device.name || read->triton != fresh.triton) {
    return refuse(fmt::format("it is of {} with Triton {}", read->device.name, read->triton));
  }
  if (read->space != fresh.space) return refuse("it is of another space");
  return std::move(read->trials);
}

void Tell(const Recording& recording, std::size_t before, std::int64_t limit, double seconds) {
  const double best_ms = recording.BestMs();
  fmt::print(stderr, "{} recorded{}, {:.1f}/s, best {:.1f} TFLOPS\n", recording.trials.size(),
             limit > 0 ? fmt::format(" of {}", limit) : "",
             static_cast<double>(recording.trials.size() - before) / seconds,
             best_ms > 0 ? recording.shape.Flops() / best_ms / 1e9 : 0);
}

/// All but the trials and the bars.
Recording Header(const TuneSetup& setup, const ShapeKey& shape, const SearchSpace& space) {
  Recording recording;
  recording.shape = shape;
  recording.device = setup.device;
  recording.triton = setup.interpreter.VersionOf("triton");
  recording.date = Today();
  recording.workers = setup.workers;
  recording.space = space.variants;
  return recording;
}

}  // namespace

Result<Recording> Record(TuneSetup& setup, const ShapeKey& shape, const RecordOptions& options,
                         const std::atomic<bool>& interrupted) {
  CROQ_ASSIGN(const std::unique_ptr<operators::CandidateFactory> factory,
              operators::MakeFactory(shape, setup.device, setup.contract, setup.layout.operators));
  search::StrategyOptions search;
  search.space = RecordedPart(factory->Space(), shape);
  search.seed = options.seed;
  Recording recording = Header(setup, shape, search.space);
  CROQ_ASSIGN(recording.trials, TrialsSoFar(options.file, recording));
  const std::size_t before = recording.trials.size();
  const SessionPaths paths = PathsOf(setup, shape);
  CROQ_ASSIGN(const std::unique_ptr<backend::CompilePool> pool, StartPool(setup, paths));
  CROQ_ASSIGN(const PrepareReply prepared,
              setup.runner->Prepare(RequestFor(setup, shape, options.seed)));
  CROQ_ASSIGN(const tune::Baseline bars, tune::MeasureBars(*setup.runner, prepared));
  recording.cublas_ms = bars.cold_ms;
  recording.cublas_lt_ms = bars.heuristic_ms;
  const std::unique_ptr<search::Strategy> strategy =
      search::MakeStrategy(options.limit > 0 ? "random" : "exhaustive", std::move(search));
  tune::Pipeline pipeline(*factory, *pool, paths.Work() / "src");
  const SteadyTime start = std::chrono::steady_clock::now();
  const auto keep = [&]() -> Status {
    Tell(recording, before, options.limit, SecondsSince(start));
    return WriteRecording(options.file, recording);
  };
  tune::Recorder recorder(*setup.runner, pipeline, recording, interrupted, keep);
  CROQ_TRY(recorder.Run(*strategy, pool->Capacity(), options.limit));
  return recording;
}

}  // namespace croq::cli
