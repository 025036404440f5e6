#include "croq/cli/tune_lines.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "croq/tune/events.h"

namespace croq::cli {
namespace {

using nlohmann::json;

json IterationFields() {
  Iteration iteration;
  iteration.number = 3;
  iteration.tag = "tiled_128x256x64_w8_s3";
  iteration.decision = Decision::kKeep;
  iteration.tflops = 712.34;
  iteration.time_ms = 0.1929;
  return tune::ToJson(iteration);
}

TEST(TuneLines, MessagesStandAsTheyAre) {
  EXPECT_EQ(FormatEvent("note", {{"message", "resuming"}}), "resuming");
  EXPECT_EQ(FormatEvent("warning", {{"message", "5% apart"}}), "warning: 5% apart");
}

TEST(TuneLines, WhatOnlyMachinesReadHasNoLine) {
  for (const char* type : {"trial", "round", "script", "started", "finished", "progress", "new"}) {
    EXPECT_EQ(FormatEvent(type, json::object()), "") << type;
  }
}

TEST(TuneLines, ABaselineIsARateOrAWord) {
  EXPECT_EQ(FormatEvent("baseline", {{"tflops_contract", 698.76}, {"time_ms_contract", 0.19671}}),
            "iter000  torch.matmul  698.8 TFLOPS  0.1967 ms (contract regime)");
  EXPECT_EQ(FormatEvent("baseline", {{"predicted", true}}),
            "iter000  torch.matmul  written (no GPU: not measured)");
}

TEST(TuneLines, BarsNameTheKernelAndTheHeuristic) {
  json bars{{"cublas_tflops_cold", 650.04}, {"kernel", "nvjet_hsh"}};
  EXPECT_EQ(FormatEvent("bars", bars), "cuBLAS   650.0 TFLOPS cold  (nvjet_hsh)");
  bars["cublas_lt_best_tflops_cold"] = 660.06;
  bars["heuristics_tried"] = 8;
  EXPECT_EQ(FormatEvent("bars", bars),
            "cuBLAS   650.0 TFLOPS cold, cublasLt's best of 8: 660.1  (nvjet_hsh)");
}

TEST(TuneLines, AnIterationHasItsRateAndDecision) {
  EXPECT_EQ(FormatEvent("iteration", IterationFields()),
            "iter003_tiled_128x256x64_w8_s3  712.3 TFLOPS  KEEP");
}

TEST(TuneLines, APredictionSaysSo) {
  json fields = IterationFields();
  fields["predicted"] = true;
  EXPECT_NE(FormatEvent("iteration", fields).find("712.3 TFLOPS predicted"), std::string::npos);
}

TEST(TuneLines, RatiosComeWithTheirIntervals) {
  json fields = IterationFields();
  fields["ratio_cublas"] = tune::ToJson(tune::Ratio{1.0204, 1.0121, 1.0296});
  fields["ratio_cublas_lt_best"] = tune::ToJson(tune::Ratio{0.98, 0.97, 0.99});
  EXPECT_EQ(FormatEvent("iteration", fields),
            "iter003_tiled_128x256x64_w8_s3  712.3 TFLOPS  1.020 [1.012, 1.030] of cuBLAS  "
            "0.980 [0.970, 0.990] of cublasLt's best  KEEP");
}

TEST(TuneLines, AnIntervalWithoutAnEndIsNotShownAsZero) {
  json fields = IterationFields();
  fields["ratio_cublas"] =
      tune::ToJson(tune::Ratio{1.02, 0, std::numeric_limits<double>::infinity()});
  EXPECT_NE(FormatEvent("iteration", fields).find("1.020 [0.000, inf] of cuBLAS"),
            std::string::npos)
      << FormatEvent("iteration", fields);
}

TEST(TuneLines, AnAttemptSaysWhatWentWrong) {
  EXPECT_EQ(FormatEvent("attempt", {{"attempt", "attempt0001_x"},
                                    {"outcome", "correctness"},
                                    {"reason", "its verify() failed"}}),
            "attempt0001_x  correctness: its verify() failed");
}

}  // namespace
}  // namespace croq::cli
