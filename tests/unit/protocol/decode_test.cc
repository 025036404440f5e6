#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "croq/protocol/messages.h"

namespace croq::protocol {
namespace {

using nlohmann::json;

json PlanJson() {
  return json::parse(R"({
    "kernels": [{"cubin": "/x", "fingerprint": "f", "entry": "k", "num_warps": 4, "num_ctas": 1,
      "shared": 0, "global_scratch_size": 0, "global_scratch_align": 1, "profile_scratch_size": 0,
      "scratch_parameters": 2, "cooperative": false, "pdl": false, "tensordesc_meta": [],
      "registers": 32, "local_bytes": 0}],
    "buffers": [{"name": "a", "bytes": 64, "scratch": false}],
    "steps": [{"kind": "launch", "kernel": 0, "grid": [1, 1, 1],
      "arguments": [{"kind": "pointer", "buffer": 0, "offset": 0}]}]})");
}

std::string ErrorOf(const json& plan) {
  const auto decoded = DecodeLaunchPlan(plan);
  return decoded ? "" : decoded.error().message;
}

TEST(DecodeLaunchPlan, AcceptsAGoodOne) {
  EXPECT_EQ(ErrorOf(PlanJson()), "");
}

TEST(DecodeLaunchPlan, NamesTheNestedField) {
  json plan = PlanJson();
  plan["kernels"][0]["num_warps"] = "four";
  EXPECT_EQ(ErrorOf(plan),
            "field 'kernels': [0]: field 'num_warps': expected a whole number, found \"four\"");
}

TEST(DecodeLaunchPlan, RefusesIndexesOutsideTheLists) {
  json plan = PlanJson();
  plan["steps"][0]["kernel"] = 1;
  EXPECT_EQ(ErrorOf(plan), "step 0: kernel 1 of 1");
  plan = PlanJson();
  plan["steps"][0]["arguments"][0]["buffer"] = -1;
  EXPECT_EQ(ErrorOf(plan), "step 0: argument 0: buffer -1 of 1");
  plan = PlanJson();
  plan["steps"][0]["arguments"][0]["offset"] = 65;
  EXPECT_NE(ErrorOf(plan).find("outside buffer 'a' of 64 bytes"), std::string::npos);
}

TEST(DecodeLaunchPlan, RefusesFillsAndCopiesBeyondTheBuffer) {
  json plan = PlanJson();
  plan["steps"] =
      json::parse(R"([{"kind": "fill", "buffer": 0, "offset": 32, "bytes": 33, "pattern": [0]}])");
  EXPECT_NE(ErrorOf(plan).find("outside"), std::string::npos);
  plan["steps"] = json::parse(
      R"([{"kind": "fill", "buffer": 0, "offset": 0, "bytes": 64, "pattern": [0, 0, 0]}])");
  EXPECT_NE(ErrorOf(plan).find("pattern"), std::string::npos);
  plan["steps"] = json::parse(R"([{"kind": "copy", "source": 0, "source_offset": 0, "target": 0,
    "target_offset": 9223372036854775807, "bytes": 2}])");
  EXPECT_NE(ErrorOf(plan).find("outside"), std::string::npos);
}

TEST(DecodeLaunchPlan, RefusesUnknownKinds) {
  json plan = PlanJson();
  plan["steps"][0]["kind"] = "sort";
  EXPECT_NE(ErrorOf(plan).find("launch, fill or copy"), std::string::npos);
}

TEST(Numbers, ThatDoNotFitAreRefused) {
  json request = Encode(OpenRequest{0});
  request["ordinal"] = 4294967296;
  const auto decoded = DecodeOpenRequest(request);
  ASSERT_FALSE(decoded);
  EXPECT_NE(decoded.error().message.find("32 bits"), std::string::npos);
  request["ordinal"] = 0.5;
  EXPECT_FALSE(DecodeOpenRequest(request));
}

TEST(Numbers, SeedKeepsAll64Bits) {
  PrepareRequest request;
  request.shape = ParseShapeKey("matmul_f32_1x2x3").value();
  request.seed = 0xfedcba9876543211ull;
  const auto decoded = DecodePrepareRequest(Encode(request));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->seed, request.seed);
  EXPECT_EQ(decoded->shape.n, 2);
}

TEST(Numbers, NotANumberSurvives) {
  TrialReply reply;
  reply.check.emplace();
  reply.check->max_abs_err = std::nan("");
  const auto decoded = DecodeTrialReply(json::parse(Encode(reply).dump()));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(std::isnan(decoded->check->max_abs_err));
}

TEST(Shapes, ABadKeyIsAnErrorOfTheMessage) {
  PrepareRequest request;
  request.shape = ParseShapeKey("matmul_f32_1x2x3").value();
  json message = Encode(request);
  message["shape"] = "matmul_f32_0x2x3";
  const auto decoded = DecodePrepareRequest(message);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().kind, ErrorKind::kFatal);
  EXPECT_NE(decoded.error().message.find("field 'shape'"), std::string::npos);
}

TEST(Envelopes, TypeAndId) {
  const auto envelope = DecodeEnvelope(WithId(Encode(HeuristicsRequest{}), 41));
  ASSERT_TRUE(envelope);
  EXPECT_EQ(envelope->type, "heuristics");
  EXPECT_EQ(envelope->id, 41);
  EXPECT_FALSE(DecodeEnvelope(json::object()));
}

TEST(Versions, AnotherVersionIsRefused) {
  EXPECT_TRUE(CheckVersions("worker", kProtocolVersion, std::string(kCroqVersion)));
  EXPECT_FALSE(CheckVersions("worker", kProtocolVersion + 1, std::string(kCroqVersion)));
  const Status status = CheckVersions("the compile worker", kProtocolVersion, "0.0.0");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("the compile worker is of croq 0.0.0"), std::string::npos);
}

}  // namespace
}  // namespace croq::protocol
