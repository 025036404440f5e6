#include "unit/search/simulated_device.h"

#include <deque>
#include <optional>

#include "croq/base/hash.h"
#include "croq/search/cost_model.h"
#include "croq/search/strategy.h"
#include "unit/search/recorded_sweep.h"

namespace croq::search {
namespace {

VariantSpace Variant(const std::string& name) {
  VariantSpace variant{name,
                       {{"BLOCK_M", Numbers({64, 128, 256})},
                        {"BLOCK_N", Numbers({32, 64, 128, 256})},
                        {"BLOCK_K", Numbers({32, 64, 128})},
                        {"GROUP_M", Numbers({1, 4, 8, 16})},
                        {"num_warps", Numbers({4, 8, 16})},
                        {"num_stages", Numbers({1, 2, 3, 4, 5, 6, 7})}}};
  if (name == "persistent") {
    variant.levers.push_back({"FLATTEN", Numbers({0, 1})});
    variant.levers.push_back({"EPILOGUE_SPLIT", Numbers({1, 2})});
  }
  return variant;
}

const ShapeKey& Shape() {
  static const ShapeKey shape = ParseShapeKey("matmul_nt_f16fp32_4096x4096x4096").value();
  return shape;
}

}  // namespace

std::vector<LeverValue> Numbers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

SearchSpace SimulatedSpace() {
  SearchSpace space{{Variant("tiled"), Variant("descriptor"), Variant("persistent")}, nullptr};
  space.reject = [](const Config& config) -> std::optional<std::string> {
    if (EstimateSharedBytes(Shape(), config) > 232448)
      return "shared memory";
    if (EstimateRegisters(config) > 255)
      return "registers";
    return std::nullopt;
  };
  return space;
}

double Predicted(const Config& config) {
  return PredictMillis(Shape(), RecordedDevice(), config);
}

double SimulatedTime(const Config& config, double error) {
  double factor = 1;
  for (const auto& [lever, value] : config.values) {
    const std::string pair =
        config.variant + lever + ToText(value) + std::to_string(config.Int("BLOCK_N"));
    const double unit = std::stoul(Fingerprint(pair).substr(0, 8), nullptr, 16) / 4294967296.0;
    factor *= 1 + error * (2 * unit - 1);
  }
  return Predicted(config) * factor;
}

std::vector<std::string> Trace(std::string_view name, std::uint64_t seed, std::size_t outstanding,
                               int trials, const std::function<double(const Config&)>& time) {
  StrategyOptions options{.space = SimulatedSpace(), .seed = seed};
  options.predict = Predicted;
  const auto strategy = MakeStrategy(name, std::move(options));
  std::deque<Config> open;
  std::vector<std::string> trace;
  const auto observe = [&] {
    const double ms = time(open.front());
    strategy->Observe(open.front(), ms > 0 ? Outcome::kCorrect : Outcome::kRuntime, ms);
    open.pop_front();
  };
  for (int trial = 0; trial < trials; ++trial) {
    const std::optional<Config> config = strategy->Propose();
    if (!config)
      break;
    trace.push_back(config->Text());
    open.push_back(*config);
    if (open.size() > outstanding)
      observe();
  }
  return trace;
}

}  // namespace croq::search
