#include "croq/cli/tune_ideas.h"

#include <nlohmann/json.hpp>
#include <string>

#include "croq/cli/idea_history.h"
#include "croq/cli/sass_reader.h"
#include "croq/cli/session_parts.h"
#include "croq/cli/tune_search.h"
#include "croq/journal/reader.h"

namespace croq::cli {
namespace {

// A round's own deadline is shorter; this one is for what has none.
constexpr double kDeadlineSeconds = 60;

std::string WhyNoCounters(const TuneSetup& setup) {
  if (setup.arguments.no_profile) return "--no-profile";
  if (!setup.runner) return "there is no GPU";
  if (setup.profiler.empty())
    return "there is no ncu on PATH, in the CUDA toolkit or in /opt/nvidia/nsight-compute";
  return "";
}

}  // namespace

RoundCounters MakeRoundCounters(const TuneSetup& setup, const SessionPaths& paths,
                                const MeasuredDevice& measured, tune::ScriptHost& host) {
  RoundCounters counters;
  counters.none = WhyNoCounters(setup);
  if (!counters.none.empty()) return counters;
  backend::ReplayOptions options = ReplayOptionsFor(setup, paths, measured.prepare);
  options.deadline_seconds = kDeadlineSeconds;
  options.ceilings = measured.ceilings;
  options.session = paths;
  counters.profiler = std::make_unique<backend::NcuProfiler>(host, setup.contract);
  counters.source = std::make_unique<backend::ReplayProfiler>(std::move(options),
                                                              *counters.profiler, setup.contract);
  return counters;
}

std::optional<tune::IdeaSettings> MakeIdeaSettings(const TuneSetup& setup,
                                                   const SessionPaths& paths,
                                                   const ShapeKey& shape,
                                                   const MeasuredDevice& measured,
                                                   const RoundCounters& counters) {
  if (setup.arguments.strategy != "hybrid") return std::nullopt;
  tune::IdeaSettings settings;
  settings.history = OperatorHistory(paths.out, std::string(shape.OperatorWord()),
                                     journal::SessionName(paths));
  if (shape.op != Operator::kBrought) settings.predict = MakePredictor(shape, setup.device);
  settings.counters = counters.source.get();
  settings.no_counters = counters.none;
  settings.copy_gb_per_s = measured.ceilings.copy_gb_per_s.value_or(0);
  settings.sass = [&setup](const tune::Candidate& candidate) -> Result<nlohmann::json> {
    CROQ_ASSIGN(const SassReader reader, SassReader::Find(setup.layout, setup.contract));
    nlohmann::json kernels = nlohmann::json::array();
    for (const CompiledKernel& kernel : candidate.plan.kernels) {
      CROQ_ASSIGN(const profile::SassMix mix, reader.Read(kernel.cubin_path));
      kernels.push_back(profile::ToJson(mix));
    }
    return kernels;
  };
  return settings;
}

}  // namespace croq::cli
