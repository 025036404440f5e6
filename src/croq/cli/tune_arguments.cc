#include "croq/cli/tune_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

#include "croq/cli/options.h"
#include "croq/cli/out_folder.h"

namespace croq::cli {
namespace {

constexpr double kDefaultSeconds = 60;
constexpr double kLongestSeconds = 30.0 * 24 * 3600;

/// A whole number of at least `least`; 0 where the option was not given.
Result<std::int64_t> ParseCount(const std::string& option, const std::string& text,
                                std::int64_t most) {
  if (text.empty()) return 0;
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < 1 || value > most) {
    return UsageFailure(fmt::format("{} '{}': it takes a whole number from 1 to {}", option, text,
                                    most));
  }
  return value;
}

Result<std::optional<std::uint64_t>> ParseSeed(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) {
    return UsageFailure(fmt::format("--seed '{}': it takes a whole number from 0 to 2^64-1", text));
  }
  return value;
}

Result<tune::Budget> CheckBudget(const TuneArguments& arguments) {
  tune::Budget budget;
  CROQ_ASSIGN(const std::int64_t rounds, ParseCount("--rounds", arguments.rounds, 1'000'000));
  budget.rounds = static_cast<int>(rounds);
  CROQ_ASSIGN(budget.trials, ParseCount("--trials", arguments.trials, 1'000'000'000));
  if (!arguments.time.empty()) {
    CROQ_ASSIGN(budget.seconds, ParseDuration(arguments.time));
  }
  if (budget.rounds == 0 && budget.trials == 0 && budget.seconds <= 0) {
    budget.seconds = kDefaultSeconds;
  }
  return budget;
}

}  // namespace

void AddTuneArguments(CLI::App& app, TuneArguments& arguments) {
  app.add_option("shape_key", arguments.keys,
                 "Problems to tune, e.g. matmul_f16fp32_4096x4096x4096 (M x N x K); matmul_nt has "
                 "B stored as [N, K]")
      ->required();
  AddDslOption(app, arguments.dsl);
  AddDeviceOption(app, arguments.device);
  app.add_option("--rounds", arguments.rounds, "Stop after this many rounds");
  app.add_option("--trials", arguments.trials, "Stop after this many trials");
  app.add_option("--time", arguments.time,
                 "Stop after this long: 60s, 5m, 1h (60s where no budget is given)");
  app.add_option("--seed", arguments.seed, "Seed of the search (a fresh one each run)");
  app.add_option("--strategy", arguments.strategy, "hybrid (default), random or exhaustive");
  app.add_option("--workers", arguments.workers, "Compile workers (one a core)");
  AddModelOption(app, arguments.model);
  AddOutOption(app, arguments.out);
  AddJsonOption(app, arguments.json, "one event a line (docs/events.md)");
}

Result<double> ParseDuration(std::string_view text) {
  const std::string whole(text);
  double unit = 1;
  if (!text.empty() && (text.back() == 's' || text.back() == 'm' || text.back() == 'h')) {
    unit = text.back() == 's' ? 1 : text.back() == 'm' ? 60 : 3600;
    text.remove_suffix(1);
  }
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !(value > 0) ||
      value * unit > kLongestSeconds) {
    return UsageFailure(fmt::format("--time '{}': it takes seconds, or a number with s, m or h, "
                                    "such as 90s, 5m or 1h (30 days at most)", whole));
  }
  return value * unit;
}

Result<TuneRequest> CheckTuneArguments(const TuneArguments& arguments) {
  TuneRequest request;
  for (const std::string& key : arguments.keys) {
    CROQ_ASSIGN(ShapeKey shape, ParseShapeKey(key));
    request.shapes.push_back(std::move(shape));
  }
  CROQ_ASSIGN(request.device, ParseDevice(arguments.device));
  CROQ_TRY(CheckModelName(arguments.model));
  CROQ_ASSIGN(request.budget, CheckBudget(arguments));
  CROQ_ASSIGN(request.seed, ParseSeed(arguments.seed));
  CROQ_ASSIGN(const std::int64_t workers, ParseCount("--workers", arguments.workers, 1024));
  request.workers = static_cast<int>(workers);
  if (arguments.strategy != "hybrid" && arguments.strategy != "random" &&
      arguments.strategy != "exhaustive") {
    return UsageFailure(fmt::format("--strategy '{}': there are hybrid, random and exhaustive",
                                    arguments.strategy));
  }
  CROQ_TRY(CheckOut(arguments.out));
  return request;
}

}  // namespace croq::cli
