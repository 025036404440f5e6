#include <fmt/format.h>

#include <chrono>

#include "croq/backend/replay_profiler.h"
#include "croq/backend/script_host.h"
#include "croq/base/files.h"
#include "croq/cli/profile_run.h"
#include "croq/cli/session_parts.h"
#include "croq/cli/tune_setup.h"
#include "croq/operators/operator.h"

namespace croq::cli {
namespace {

/// Compiles the configuration's kernels and puts its plan together.
Result<LaunchPlan> BuildPlan(const TuneSetup& setup, const SessionPaths& paths,
                             const ShapeKey& shape, const Iteration& iteration) {
  CROQ_ASSIGN(const std::unique_ptr<operators::CandidateFactory> factory,
              operators::MakeFactory(shape, setup.device, setup.contract, setup.layout.operators));
  CROQ_ASSIGN(const Config config, ParseConfig(iteration.config));
  CROQ_ASSIGN(const std::unique_ptr<backend::CompilePool> pool, StartPool(setup, paths));
  const std::vector<CompileJob> jobs = factory->Jobs(config, paths.Source(iteration.Name()));
  std::vector<CompiledKernel> kernels(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i)
    CROQ_TRY(pool->Submit(static_cast<std::int64_t>(i), jobs[i]));
  for (std::size_t done = 0; done < jobs.size();) {
    CROQ_ASSIGN(const std::optional<tune::BuildResult> built,
                pool->Next(std::chrono::milliseconds(1000)));
    if (!built)
      continue;
    if (built->outcome != Outcome::kCorrect) {
      return Failure(
          fmt::format("{} does not compile any more: {}", iteration.Name(), built->reason));
    }
    kernels[static_cast<std::size_t>(built->ticket)] = built->kernel;
    ++done;
  }
  return factory->Plan(config, std::move(kernels));
}

}  // namespace

Result<backend::ProfileOutcome> ProfileInRunner(const ProfileSubject& subject,
                                                const ProfileArguments& arguments) {
  const Iteration& iteration = subject.iteration;
  const ShapeKey& shape = subject.shape;
  if (iteration.number == 0 || shape.op == Operator::kBrought || !ParseConfig(iteration.config)) {
    return UsageFailure(fmt::format(
        "{} has no plan that its configuration makes: profile its script (--via script)",
        iteration.Name()));
  }
  TuneArguments wanted;
  wanted.keys = {shape.text};
  wanted.dsl = arguments.dsl;
  wanted.device = arguments.device;
  wanted.model = subject.paths.model;
  wanted.out = arguments.out;
  CROQ_ASSIGN(TuneSetup setup, PrepareTune(wanted));
  if (!setup.runner)
    return UsageFailure("there is no GPU here to profile on; --no-profile gives a static profile");
  const SessionPaths& paths = subject.paths;
  CROQ_ASSIGN(const LaunchPlan plan, BuildPlan(setup, paths, shape, iteration));
  setup.runner.reset();  // its memory goes back before another process takes as much
  backend::ReplayOptions options =
      ReplayOptionsFor(setup, paths, RequestFor(setup, shape, /*input_seed=*/1));
  options.deadline_seconds = arguments.deadline_seconds;
  options.ceilings = subject.ceilings;
  const auto host = MakeScriptHost(setup, paths);
  backend::NcuProfiler profiler(*host, subject.contract);
  backend::ReplayProfiler replay(std::move(options), profiler, subject.contract);
  return replay.ProfilePlan(plan, WallMillis(subject));
}

}  // namespace croq::cli
