#include "croq/cli/tune_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <map>

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
  CROQ_ASSIGN(budget.trials_without_gain,
              ParseCount("--no-gain", arguments.no_gain, 1'000'000'000));
  if (budget.rounds == 0 && budget.trials == 0 && budget.seconds <= 0 &&
      budget.trials_without_gain == 0) {
    budget.seconds = kDefaultSeconds;
  }
  return budget;
}

/// A file, not a shape key: keys have no dots.
bool LooksLikeFile(const std::string& key) {
  std::error_code ignored;
  return key.ends_with(".py") || std::filesystem::is_regular_file(key, ignored);
}

/// Reads `M=4096,N=8192`.
Result<std::map<std::string, std::int64_t>> ParseDims(std::string_view text) {
  std::map<std::string, std::int64_t> dims;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find(',');
    std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    std::int64_t value = 0;
    const std::string_view digits =
        equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1);
    const auto [last, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || equals == 0 || code != std::errc() ||
        last != digits.data() + digits.size() || value < 1) {
      return UsageFailure(fmt::format("--dims '{}': '{}' is not NAME=NUMBER; it is written "
                                      "M=4096,N=8192", text, part));
    }
    if (!dims.emplace(std::string(part.substr(0, equals)), value).second) {
      return UsageFailure(fmt::format("--dims '{}': {} is given twice", text,
                                      part.substr(0, equals)));
    }
  }
  return dims;
}

Status CheckBrought(const TuneArguments& arguments, TuneRequest& request) {
  CROQ_ASSIGN(request.brought.dims, ParseDims(arguments.dims));
  request.brought.entry = arguments.entry;
  request.brought.widen = arguments.widen;
  request.brought.shape = arguments.shape;
  const bool given = !arguments.dims.empty() || !arguments.entry.empty() ||
                     !arguments.shape.empty() || arguments.widen;
  if (given && request.files.empty()) {
    return UsageFailure("--dims, --entry, --shape and --widen go with a file, such as croq tune "
                        "softmax.py --dims M=4096,N=8192");
  }
  for (const std::filesystem::path& file : request.files) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) continue;
    return UsageFailure(fmt::format("{}: {}", file.string(),
                                    std::filesystem::exists(file, ignored) ? "it is no file"
                                                                           : "there is no such file"));
  }
  return {};
}

}  // namespace

void AddTuneArguments(CLI::App& app, TuneArguments& arguments) {
  app.add_option("shape_key", arguments.keys,
                 "Problems to tune, e.g. matmul_f16fp32_4096x4096x4096 (M x N x K); matmul_nt has "
                 "B stored as [N, K]. Or a file with a kernel of your own (docs/brought.md)")
      ->required();
  AddDslOption(app, arguments.dsl);
  AddDeviceOption(app, arguments.device);
  app.add_option("--rounds", arguments.rounds,
                 "Stop after this many rounds; the first screens shortly, those after it follow "
                 "ideas (docs/rounds.md)");
  app.add_option("--trials", arguments.trials, "Stop after this many trials");
  app.add_option("--no-gain", arguments.no_gain,
                 "Stop once this many trials were none over 0.5% faster than the best before them");
  app.add_option("--time", arguments.time,
                 "Stop after this long: 60s, 5m, 1h (60s where no budget is given)");
  app.add_option("--seed", arguments.seed, "Seed of the search (a fresh one each run)");
  app.add_option("--strategy", arguments.strategy, "hybrid (default: model-guided with local search), random, exhaustive or "
                 "evolutionary");
  app.add_option("--workers", arguments.workers, "Compile workers (one a core)");
  app.add_flag("--no-profile", arguments.no_profile,
               "Read no counters between rounds: profiles are static");
  app.add_option("--dims", arguments.dims, "Of a file: other dimensions, M=4096,N=8192");
  app.add_option("--entry", arguments.entry, "Of a file: the function that launches");
  app.add_option("--shape", arguments.shape,
                 "Of a file that follows the contract and has no CROQ table: its shape key");
  app.add_flag("--widen", arguments.widen,
               "Of a file: open its autotuner's values to their neighbours");
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
    if (LooksLikeFile(key)) {
      request.files.emplace_back(key);
      continue;
    }
    CROQ_ASSIGN(ShapeKey shape, ParseShapeKey(key));
    request.shapes.push_back(std::move(shape));
  }
  CROQ_TRY(CheckBrought(arguments, request));
  CROQ_ASSIGN(request.device, ParseDevice(arguments.device, true));
  CROQ_TRY(CheckModelName(arguments.model));
  CROQ_ASSIGN(request.budget, CheckBudget(arguments));
  CROQ_ASSIGN(request.seed, ParseSeed(arguments.seed));
  CROQ_ASSIGN(const std::int64_t workers, ParseCount("--workers", arguments.workers, 1024));
  request.workers = static_cast<int>(workers);
  if (!search::IsStrategy(arguments.strategy)) {
    return UsageFailure(fmt::format("--strategy '{}': there are {}", arguments.strategy,
                                    fmt::join(search::kStrategies, ", ")));
  }
  CROQ_TRY(CheckOut(arguments.out));
  return request;
}

}  // namespace croq::cli
