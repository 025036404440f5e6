// How many trials, and how much recorded time, each strategy needs to come within 5%, 2% and 1% of a
// recording's fastest configuration: medians over 50 seeds.
//   strategies [--check] FILE...      recordings (docs/recordings.md); --check: exit 1 where a bar is
//                                     missed (docs/benchmarks.md)
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <queue>
#include <vector>

#include "croq/model/recording.h"
#include "croq/search/cost_model.h"
#include "croq/search/strategy.h"
#include "croq/search/virtual_clock.h"

namespace croq::search {
namespace {

constexpr int kSeeds = 50;
constexpr int kWorkers = 16;      // of the machine whose compile times were recorded
constexpr int kInFlight = 32;     // what croq tune keeps with so many
constexpr double kWithin[] = {1.05, 1.02, 1.01};
constexpr std::size_t kBars = std::size(kWithin);
constexpr std::size_t kTwoPercent = 1;
constexpr const char* kCompared[] = {"hybrid", "evolutionary", "random"};

/// Trials and seconds at which each bar was reached; the whole space where it never was.
struct Reached {
  double trials[kBars] = {};
  double seconds[kBars] = {};
};

struct Flight {
  double done_ms = 0;
  int number = 0;
  const RecordedTrial* trial = nullptr;
  bool operator>(const Flight& other) const {
    return std::pair(done_ms, number) > std::pair(other.done_ms, other.number);
  }
};

bool FailsToBuild(Outcome outcome) {
  return outcome == Outcome::kCompile || outcome == Outcome::kConstraints;
}

Reached Run(const Recording& recording, const RecordedTrials& trials, const SearchSpace& space,
            const char* name, std::uint64_t seed) {
  StrategyOptions options;
  options.space = space;
  options.seed = seed;
  options.predict = [&](const Config& config) {
    return PredictMillis(recording.shape, recording.device, config);
  };
  const std::unique_ptr<Strategy> strategy = MakeStrategy(name, std::move(options));
  VirtualClock clock(kWorkers);
  std::priority_queue<Flight, std::vector<Flight>, std::greater<>> flights;
  const double best = recording.BestMs();
  Reached reached;
  std::size_t bar = 0;
  int proposed = 0;
  int tried = 0;
  while (bar < kBars) {
    while (flights.size() < kInFlight) {
      const std::optional<Config> config = strategy->Propose();
      if (!config) break;
      const RecordedTrial* trial = trials.Find(*config);
      flights.push({clock.Compile(trial->compile_ms), proposed++, trial});
    }
    if (flights.empty()) break;
    const Flight flight = flights.top();
    flights.pop();
    clock.WaitUntil(flight.done_ms);
    if (!FailsToBuild(flight.trial->outcome)) clock.Measure(flight.trial->measure_ms);
    strategy->Observe(flight.trial->config, flight.trial->outcome, flight.trial->time_ms);
    ++tried;
    const bool correct = flight.trial->outcome == Outcome::kCorrect;
    while (bar < kBars && correct && flight.trial->time_ms <= kWithin[bar] * best) {
      reached.trials[bar] = tried;
      reached.seconds[bar] = clock.now() / 1e3;
      ++bar;
    }
  }
  for (; bar < kBars; ++bar) {
    reached.trials[bar] = tried;
    reached.seconds[bar] = clock.now() / 1e3;
  }
  return reached;
}

double Median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

Reached Medians(const Recording& recording, const RecordedTrials& trials, const SearchSpace& space,
                const char* name) {
  std::vector<double> counts[kBars];
  std::vector<double> seconds[kBars];
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Reached one = Run(recording, trials, space, name, static_cast<std::uint64_t>(seed));
    for (std::size_t bar = 0; bar < kBars; ++bar) {
      counts[bar].push_back(one.trials[bar]);
      seconds[bar].push_back(one.seconds[bar]);
    }
  }
  Reached medians;
  for (std::size_t bar = 0; bar < kBars; ++bar) {
    medians.trials[bar] = Median(counts[bar]);
    medians.seconds[bar] = Median(seconds[bar]);
  }
  return medians;
}

/// The best of the first 16 that the model alone proposes, over the recording's best.
double BestOfFirst16(const Recording& recording, const RecordedTrials& trials,
                     const SearchSpace& space) {
  StrategyOptions options;
  options.space = space;
  options.predict = [&](const Config& config) {
    return PredictMillis(recording.shape, recording.device, config);
  };
  const std::unique_ptr<Strategy> strategy = MakeStrategy("hybrid", std::move(options));
  double best = 0;
  for (int i = 0; i < 16; ++i) {
    const std::optional<Config> config = strategy->Propose();
    if (!config) break;
    const RecordedTrial* trial = trials.Find(*config);
    if (trial->outcome == Outcome::kCorrect && (best == 0 || trial->time_ms < best))
      best = trial->time_ms;
  }
  return best == 0 ? 99 : best / recording.BestMs();
}

struct Verdict {
  double gain = 0;      ///< random's trials to 2% over the default's
  bool headstart = false;
};

Verdict Compare(const Recording& recording) {
  const RecordedTrials trials(recording);
  const SearchSpace space = SpaceOf(recording);
  fmt::print("{}: {} configurations recorded on {} ({}){}, best {:.4f} ms\n", recording.shape.text,
             recording.trials.size(), recording.device.name, recording.date,
             recording.whole ? "" : ", a part of the space", recording.BestMs());
  fmt::print("  {:14} {:>22} {:>22} {:>22}\n", "", "to 5%", "to 2%", "to 1%");
  double two_percent[std::size(kCompared)] = {};
  for (std::size_t i = 0; i < std::size(kCompared); ++i) {
    const Reached reached = Medians(recording, trials, space, kCompared[i]);
    two_percent[i] = reached.trials[kTwoPercent];
    fmt::print("  {:14}", kCompared[i]);
    for (std::size_t bar = 0; bar < kBars; ++bar)
      fmt::print(" {:>7.0f} trials {:>5.1f} s", reached.trials[bar], reached.seconds[bar]);
    fmt::print("\n");
  }
  const double first = BestOfFirst16(recording, trials, space);
  const Verdict verdict{two_percent[std::size(kCompared) - 1] / two_percent[0], first <= 1.05};
  fmt::print("  to 2%: {:.1f} times fewer trials than random; the model's first 16 come within "
             "{:.1f}%\n", verdict.gain, (first - 1) * 100);
  return verdict;
}

int Main(int count, char** arguments) {
  bool check = false;
  std::vector<double> gains;
  int headstarts = 0;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--check") == 0) {
      check = true;
      continue;
    }
    const Result<Recording> recording = ReadRecording(arguments[i]);
    if (!recording) {
      fmt::print(stderr, "strategies: {}\n", recording.error().message);
      return 2;
    }
    const Verdict verdict = Compare(*recording);
    gains.push_back(verdict.gain);
    headstarts += verdict.headstart ? 1 : 0;
  }
  if (gains.empty()) {
    fmt::print(stderr, "strategies: name recordings, such as data/recordings/*.jsonl\n");
    return 2;
  }
  const double gain = Median(gains);
  const double share = headstarts / static_cast<double>(gains.size());
  fmt::print("median over {} recordings: {:.1f} times fewer trials than random to 2% (bar: 10); the "
             "model's first 16 within 5% on {:.0f}% (bar: 80%)\n", gains.size(), gain, share * 100);
  return check && (gain < 10 || share < 0.8) ? 1 : 0;
}

}  // namespace
}  // namespace croq::search

int main(int count, char** arguments) { return croq::search::Main(count, arguments); }
