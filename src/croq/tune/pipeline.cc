#include "croq/tune/pipeline.h"

#include <algorithm>
#include <thread>

#include "croq/base/check.h"
#include "croq/base/files.h"

namespace croq::tune {
namespace {

// How often the factory is asked whether it has made something: far below what a capture takes.
constexpr std::chrono::milliseconds kMakingPoll{5};

}  // namespace

Status Pipeline::Fill(search::Strategy& strategy, int target) {
  exhausted_ = false;
  while (InFlight() < target && static_cast<int>(begun_.size()) < factory_.Room()) {
    const std::optional<Config> config = strategy.Propose();
    if (!config) {
      exhausted_ = true;
      return {};
    }
    CROQ_TRY(Add(*config));
  }
  return {};
}

Result<std::filesystem::path> Pipeline::SourceOf(const Flight& flight) {
  if (!flight.source.empty()) return flight.source;
  const Candidate& candidate = flight.candidate;
  const std::string& variant = candidate.config.variant;
  const std::filesystem::path path = work_ / (variant + ".py");
  if (written_variants_.insert(variant).second) {
    CROQ_TRY(MakeDirectories(work_));
    CROQ_TRY(WriteFileAtomic(path, candidate.source));
  }
  return path;
}

Result<std::int64_t> Pipeline::Add(const Config& config) {
  CROQ_TRY(factory_.Begin(config));
  const std::int64_t id = next_flight_++;
  begun_.emplace(id, config);
  CROQ_TRY(MakeBegun());
  return id;
}

Status Pipeline::MakeBegun() {
  for (auto at = begun_.begin(); at != begun_.end();) {
    if (!factory_.IsReady(at->second)) {
      ++at;
      continue;
    }
    const auto [id, config] = std::move(*at);
    at = begun_.erase(at);
    CROQ_TRY(Make(id, config));
  }
  return {};
}

Status Pipeline::Make(std::int64_t id, const Config& config) {
  CROQ_ASSIGN(operators::Made made, factory_.Make(config));
  Flight flight;
  flight.candidate.config = config;
  flight.candidate.source = std::move(made.script.source);
  flight.candidate.tag = std::move(made.script.tag);
  if (made.outcome != Outcome::kCorrect) {
    ready_.push_back({id, std::move(flight.candidate), made.outcome, std::move(made.reason), ""});
    return {};
  }
  flight.source = std::move(made.source);
  CROQ_ASSIGN(const std::filesystem::path source, SourceOf(flight));
  std::vector<CompileJob> jobs = factory_.Jobs(config, source);
  flight.results.resize(jobs.size());
  flight.missing = jobs.size();
  flights_.emplace(id, std::move(flight));
  for (std::size_t kernel = 0; kernel < jobs.size(); ++kernel) {
    CROQ_TRY(Submit(id, kernel, std::move(jobs[kernel])));
  }
  return {};
}

Status Pipeline::Submit(std::int64_t flight, std::size_t kernel, CompileJob job) {
  const std::int64_t ticket = next_ticket_++;
  jobs_.emplace(ticket, JobOf{flight, kernel});
  return builder_.Submit(ticket, std::move(job));
}

/// Equal code lies in one file, which goes with its last holder. That may have been after the
/// builds of this flight had ended, as nothing is held before its candidate is complete.
Status Pipeline::BuildLostAgain(std::int64_t id, Flight& flight) {
  if (flight.built_again) return {};
  for (std::size_t kernel = 0; kernel < flight.results.size(); ++kernel) {
    const BuildResult& result = *flight.results[kernel];
    std::error_code ignored;
    if (result.outcome != Outcome::kCorrect || result.kernel.cubin_path.empty() ||
        std::filesystem::exists(result.kernel.cubin_path, ignored)) {
      continue;
    }
    flight.built_again = true;
    ++flight.missing;
    CROQ_ASSIGN(const std::filesystem::path source, SourceOf(flight));
    CROQ_TRY(Submit(id, kernel, factory_.Jobs(flight.candidate.config, source)[kernel]));
  }
  return {};
}

Result<std::optional<Built>> Pipeline::Next(std::chrono::milliseconds wait) {
  CROQ_TRY(MakeBegun());
  if (ready_.empty()) return Receive(wait);
  Built built = std::move(ready_.front());
  ready_.pop_front();
  return built;
}

Result<std::vector<Built>> Pipeline::BuildNow(const std::vector<Config>& configs) {
  std::map<std::int64_t, std::size_t> place;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    CROQ_ASSIGN(const std::int64_t flight, Add(configs[i]));
    place.emplace(flight, i);
  }
  std::vector<Built> results(configs.size());
  const auto take = [&](Built& built) {
    const auto mine = place.find(built.flight);
    if (mine == place.end()) return false;
    results[mine->second] = std::move(built);
    place.erase(mine);
    return true;
  };
  while (true) {
    CROQ_TRY(MakeBegun());
    std::erase_if(ready_, take);
    if (place.empty()) return results;
    CROQ_ASSIGN(std::optional<Built> built, Receive(std::chrono::milliseconds(1000)));
    if (built && !take(*built)) ready_.push_back(std::move(*built));
  }
}

Result<std::optional<Built>> Pipeline::Receive(std::chrono::milliseconds wait) {
  if (!begun_.empty()) wait = std::min(wait, kMakingPoll);
  if (!begun_.empty() && jobs_.empty()) {  // the builder has nothing to wait for
    std::this_thread::sleep_for(wait);
    return std::nullopt;
  }
  CROQ_ASSIGN(std::optional<BuildResult> result, builder_.Next(wait));
  if (!result) return std::nullopt;
  return Accept(std::move(*result));
}

Result<std::optional<Built>> Pipeline::Accept(BuildResult result) {
  const auto job = jobs_.find(result.ticket);
  CROQ_CHECK(job != jobs_.end());
  const JobOf where = job->second;
  jobs_.erase(job);
  const auto found = flights_.find(where.flight);
  CROQ_CHECK(found != flights_.end());
  Flight& flight = found->second;
  flight.results[where.kernel] = std::move(result);
  if (--flight.missing > 0) return std::nullopt;
  CROQ_TRY(BuildLostAgain(where.flight, flight));
  if (flight.missing > 0) return std::nullopt;
  Flight done = std::move(flight);
  flights_.erase(found);
  Built built = Finish(std::move(done));
  built.flight = where.flight;
  return built;
}

Built Pipeline::Finish(Flight flight) {
  Built built;
  built.candidate = std::move(flight.candidate);
  std::vector<CompiledKernel> kernels;
  for (const std::optional<BuildResult>& result : flight.results) {
    BuildFacts& facts = built.candidate.build;
    facts.compile_ms += result->compile_ms;
    if (result->outcome != Outcome::kCorrect) {
      built.outcome = result->outcome;
      built.reason = result->reason;
      built.log = result->log_path;
      continue;
    }
    const CompiledKernel& kernel = result->kernel;
    facts.registers = std::max(facts.registers, kernel.registers);
    facts.local_bytes = std::max(facts.local_bytes, kernel.local_bytes);
    facts.shared_bytes = std::max(facts.shared_bytes, kernel.shared_bytes);
    facts.cubin_fingerprint += (facts.cubin_fingerprint.empty() ? "" : "+") + kernel.cubin_fingerprint;
    kernels.push_back(kernel);
  }
  if (built.outcome == Outcome::kCorrect) {
    built.candidate.plan = factory_.Plan(built.candidate.config, std::move(kernels));
    cubins_.Hold(built.candidate.plan);
  }
  return built;
}

}  // namespace croq::tune
