#include "croq/tune/events.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace croq::tune {
namespace {

using nlohmann::json;

Iteration MakeIteration() {
  Iteration iteration;
  iteration.number = 7;
  iteration.tag = "tiled_128";
  iteration.round = 3;
  iteration.config = "tiled BLOCK_M=128";
  iteration.decision = Decision::kKeep;
  iteration.idea = "wider tiles";
  iteration.tflops = 700.5;
  iteration.time_ms = 0.25;
  iteration.cold_ms = 0.5;
  iteration.verified = true;
  iteration.max_abs_err = 0.125;
  iteration.build.registers = 168;
  iteration.build.local_bytes = 8;
  iteration.build.shared_bytes = 98304;
  return iteration;
}

TEST(Events, AnIterationHasItsFields) {
  const json expected = json::parse(R"({
    "iteration": "iter007_tiled_128", "number": 7, "round": 3, "config": "tiled BLOCK_M=128",
    "decision": "KEEP", "idea": "wider tiles", "verified": true, "max_abs_err": 0.125,
    "tflops_contract": 700.5, "time_ms_contract": 0.25, "time_ms_cold": 0.5, "registers": 168,
    "local_bytes": 8, "shared_bytes": 98304, "predicted": false})");
  EXPECT_EQ(ToJson(MakeIteration()), expected);
}

TEST(Events, WhatWasMeasuredBesideIsAdded) {
  Iteration iteration = MakeIteration();
  iteration.ratio = 1.25;
  iteration.ratio_low = 1.0;
  iteration.ratio_high = 1.5;
  iteration.best_ratio = 1.125;
  iteration.script_tflops = 699;
  const json event = ToJson(iteration);
  EXPECT_EQ(event.at("ratio_cublas"), json::parse(R"({"value":1.25,"low":1.0,"high":1.5})"));
  EXPECT_EQ(event.at("ratio_best_before"), 1.125);
  EXPECT_EQ(event.at("script_tflops"), 699.0);
}

TEST(Events, WhatJsonCannotHoldIsNull) {
  Iteration iteration = MakeIteration();
  iteration.max_abs_err = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(ToJson(iteration).at("max_abs_err").is_null());
  const json ratio = ToJson(Ratio{1, 0, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(ratio.dump(), R"({"high":null,"low":0.0,"value":1.0})");
}

TEST(Events, AnAttemptHasItsFields) {
  Attempt attempt;
  attempt.number = 12;
  attempt.tag = "tiled_64";
  attempt.config = "tiled BLOCK_M=64";
  attempt.outcome = Outcome::kTimeout;
  attempt.reason = "ran past its deadline";
  attempt.log = "/logs/x.log";
  attempt.tries = 2;
  const json expected = json::parse(R"({
    "attempt": "attempt0012_tiled_64", "config": "tiled BLOCK_M=64", "outcome": "timeout",
    "reason": "ran past its deadline", "log": "/logs/x.log", "tries": 2})");
  EXPECT_EQ(ToJson(attempt), expected);
}

}  // namespace
}  // namespace croq::tune
