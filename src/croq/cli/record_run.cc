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

namespace croq::cli {
namespace {

using std::chrono::milliseconds;

constexpr double kSecondsBetweenLines = 5;

std::string Today() { return FormatUtc(UnixMillis()).substr(0, 10); }

/// What lies between the space and the recording.
class Recorder {
 public:
  Recorder(TuneSetup& setup, Recording& recording, const std::atomic<bool>& interrupted)
      : setup_(setup), recording_(recording), interrupted_(interrupted) {}

  /// True where the strategy had nothing more to propose.
  Result<bool> Run(search::Strategy& strategy, tune::Pipeline& pipeline, tune::Builder& builder,
                   std::int64_t limit);

 private:
  Status Measure(tune::Built built, tune::Pipeline& pipeline);
  void Tell(std::int64_t limit);

  TuneSetup& setup_;
  Recording& recording_;
  const std::atomic<bool>& interrupted_;
  SteadyTime start_ = std::chrono::steady_clock::now();
  double told_seconds_ = 0;
  double best_ms_ = 0;
};

Result<bool> Recorder::Run(search::Strategy& strategy, tune::Pipeline& pipeline,
                           tune::Builder& builder, std::int64_t limit) {
  const auto recorded = [&] { return static_cast<std::int64_t>(recording_.trials.size()); };
  while (!interrupted_.load() && (limit == 0 || recorded() < limit)) {
    std::int64_t target = builder.Capacity();
    if (limit > 0) target = std::min(target, limit - recorded());
    CROQ_TRY(pipeline.Fill(strategy, static_cast<int>(target)));
    if (pipeline.InFlight() == 0) return true;
    CROQ_ASSIGN(std::optional<tune::Built> built, pipeline.Next(milliseconds(50)));
    if (built) CROQ_TRY(Measure(std::move(*built), pipeline));
    Tell(limit);
  }
  return false;
}

Status Recorder::Measure(tune::Built built, tune::Pipeline& pipeline) {
  RecordedTrial trial{built.candidate.config, built.outcome, 0, built.candidate.build.compile_ms, 0};
  if (built.outcome == Outcome::kCorrect) {
    const SteadyTime begin = std::chrono::steady_clock::now();
    TrialRequest request;
    request.plan = built.candidate.plan;
    CROQ_ASSIGN(const TrialReply reply, setup_.runner->RunTrial(request));
    trial.measure_ms = SecondsSince(begin) * 1e3;
    trial.outcome = reply.outcome;
    if (reply.outcome == Outcome::kCorrect && reply.timing) {
      trial.time_ms = reply.timing->median_ms;
      if (best_ms_ == 0 || trial.time_ms < best_ms_) best_ms_ = trial.time_ms;
    }
    pipeline.cubins().Release(built.candidate.plan);
  }
  recording_.trials.push_back(std::move(trial));
  return {};
}

void Recorder::Tell(std::int64_t limit) {
  const double seconds = SecondsSince(start_);
  if (seconds - told_seconds_ < kSecondsBetweenLines) return;
  told_seconds_ = seconds;
  const auto count = static_cast<double>(recording_.trials.size());
  fmt::print(stderr, "{} recorded{}, {:.1f}/s, best {:.1f} TFLOPS\n", recording_.trials.size(),
             limit > 0 ? fmt::format(" of {}", limit) : "", count / seconds,
             best_ms_ > 0 ? recording_.shape.Flops() / best_ms_ / 1e9 : 0);
}

}  // namespace

Result<Recording> Record(TuneSetup& setup, const ShapeKey& shape, std::int64_t limit,
                         std::uint64_t seed, const std::atomic<bool>& interrupted) {
  CROQ_ASSIGN(const std::unique_ptr<operators::CandidateFactory> factory,
              operators::MakeFactory(shape, setup.device, setup.contract, setup.layout.operators));
  const SessionPaths paths = PathsOf(setup, shape);
  CROQ_ASSIGN(const std::unique_ptr<backend::CompilePool> pool, StartPool(setup, paths));
  Recording recording;
  recording.shape = shape;
  recording.device = setup.device;
  recording.triton = setup.interpreter.VersionOf("triton");
  recording.date = Today();
  CROQ_ASSIGN(const PrepareReply prepared, setup.runner->Prepare(RequestFor(setup, shape, seed)));
  CROQ_ASSIGN(const tune::Baseline bars, tune::MeasureBars(*setup.runner, prepared));
  recording.cublas_ms = bars.cold_ms;
  search::StrategyOptions options;
  options.space = RecordedPart(factory->Space(), shape);
  options.seed = seed;
  recording.space = options.space.variants;
  const std::unique_ptr<search::Strategy> strategy =
      search::MakeStrategy(limit > 0 ? "random" : "exhaustive", std::move(options));
  tune::Pipeline pipeline(*factory, *pool, paths.Work() / "src");
  CROQ_ASSIGN(recording.whole,
              Recorder(setup, recording, interrupted).Run(*strategy, pipeline, *pool, limit));
  return recording;
}

}  // namespace croq::cli
