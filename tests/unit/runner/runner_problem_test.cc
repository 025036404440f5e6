#include <algorithm>
#include <fstream>
#include <limits>
#include <set>

#include "croq/base/files.h"
#include "croq/protocol/messages.h"
#include "runner_fixture.h"

namespace croq::runner {
namespace {

using nlohmann::json;

constexpr std::int64_t kRows = 32;
constexpr std::int64_t kColumns = 64;
constexpr std::int64_t kHalves = kRows * kColumns * 2;

/// x and a mask in, residual in place, y and a count out.
Problem Norm(bool in_place = true) {
  Problem problem;
  problem.key = MakeBroughtKey("norm", DType::kF16Fp32, {{"M", kRows}, {"N", kColumns}}).value();
  problem.entry = "norm";
  problem.reference = "norm_reference";
  problem.tensors = {
      {"x", "fp16", {kRows, kColumns}, TensorRole::kInput, Distribution::kNormal, 0, 1},
      {"mask", "i1", {kRows}, TensorRole::kInput, Distribution::kInteger, 0, 1},
      {"residual", "fp16", {kRows, kColumns}, in_place ? TensorRole::kInOut : TensorRole::kInput,
       Distribution::kNormal, 0, 1},
      {"y", "fp16", {kRows, kColumns}, TensorRole::kOutput, Distribution::kNormal, 0, 1},
      {"count", "i32", {kRows}, TensorRole::kOutput, Distribution::kNormal, 0, 1}};
  return problem;
}

class RunnerProblem : public RunnerOnFake {
 protected:
  json PrepareProblem(const Problem& problem) {
    PrepareRequest request;
    request.shape = problem.key;
    request.problem = problem;
    request.max_abs_tolerance = 1e-3;
    return Ask(request);
  }

  void StartWith(const Problem& problem) {
    Start();
    ASSERT_EQ(Open()["type"], "open_reply");
    const auto prepared = protocol::DecodePrepareReply(PrepareProblem(problem));
    ASSERT_TRUE(prepared) << prepared.error().message;
    prepared_ = *prepared;
    ASSERT_EQ(SetReferences(0)["type"], "references_reply");
  }

  void StartInPlace() {
    StartWith(Norm());
    ForgetLog();
  }

  /// The story starts here.
  void ForgetLog() { told_ = LogLines().size(); }

  template <typename T>
  json Ask(const T& request) {
    return runner_->Ask(protocol::WithId(protocol::Encode(request), 4)).value_or(json());
  }

  void WriteFloats(const std::string& name, std::int64_t count, float value = 0.5f) {
    const std::vector<float> values(static_cast<std::size_t>(count), value);
    std::ofstream(folder_ / (name + ".bin"), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), count * 4);
  }

  json SetReferences(int set, float value = 0.5f) {
    WriteFloats("y", kRows * kColumns, value);
    WriteFloats("residual", kRows * kColumns);
    WriteFloats("count", kRows);  // 4 bytes each: the tensor's own
    return Ask(ReferencesRequest{set, folder_.string()});
  }

  TrialRequest ProblemTrial(const std::string& description) {
    TrialRequest request;
    request.plan = Plan(description);
    request.plan.buffers = {{"x", kHalves, false},
                            {"residual", kHalves, false},
                            {"y", kHalves, false},
                            {"mask", kRows, false},
                            {"count", kRows * 4, false}};
    return request;
  }

  TrialReply Try(const TrialRequest& request) {
    const auto reply = protocol::DecodeTrialReply(Ask(request));
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(TrialReply{});
  }

  /// Letters for the lines of the log: C a copy, L a launch, H a hold.
  std::string Story() const {
    std::string story;
    std::vector<std::string> lines = LogLines();
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(told_));
    for (const std::string& line : lines) {
      story += line.starts_with("copy") ? 'C' : line.starts_with("launch") ? 'L' : 'H';
    }
    return story;
  }

  PrepareReply prepared_;
  std::size_t told_ = 0;
};

TEST_F(RunnerProblem, PreparesSetsBeyondTheL2AndMeasuresCopies) {
  StartWith(Norm());
  // 16.6 KiB with the pristine copy of the residual; twice the fake's L2 is 128 KiB.
  EXPECT_EQ(prepared_.input_sets, 8);
  EXPECT_NEAR(prepared_.copy_gbps, 2, 1e-3);  // the fake copies 1 GB/s
  EXPECT_NE(prepared_.baseline_problem, "");
  EXPECT_GT(prepared_.device_bytes, 8 * 4 * kHalves);
}

TEST_F(RunnerProblem, WritesTheInputsOfASet) {
  StartWith(Norm());
  const auto folder = folder_ / "inputs";
  std::filesystem::create_directory(folder);
  const auto reply = protocol::DecodeInputsReply(Ask(InputsRequest{1, folder.string()}));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->bytes, 2 * kHalves + kRows);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"mask.bin", "residual.bin", "x.bin"}));
  EXPECT_EQ(std::filesystem::file_size(folder / "x.bin"), static_cast<std::uintmax_t>(kHalves));
  EXPECT_EQ(Ask(InputsRequest{8, folder.string()})["type"], "error");
  EXPECT_EQ(Ask(InputsRequest{0, "/nowhere/at/all"})["type"], "error");
}

TEST_F(RunnerProblem, ReferencesThatDoNotFitAreRefused) {
  StartWith(Norm());
  EXPECT_EQ(SetReferences(8)["type"], "error");
  json reply = SetReferences(1, std::numeric_limits<float>::infinity());
  EXPECT_NE(reply["message"].get<std::string>().find("y.bin: element 0 of 2048 is not finite"),
            std::string::npos)
      << reply;
  WriteFloats("y", 7);
  reply = Ask(ReferencesRequest{1, folder_.string()});
  EXPECT_NE(reply["message"].get<std::string>().find("has 28 bytes; the reference of 'y' has 8192"),
            std::string::npos)
      << reply;
  std::filesystem::remove(folder_ / "count.bin");
  EXPECT_EQ(Ask(ReferencesRequest{1, folder_.string()})["type"], "error");
  EXPECT_EQ(Try(ProblemTrial("")).outcome, Outcome::kCorrect);  // set 0 keeps its own
}

TEST_F(RunnerProblem, ATrialBeforeAReferenceIsTheEnginesFault) {
  Start();
  ASSERT_EQ(Open()["type"], "open_reply");
  ASSERT_EQ(PrepareProblem(Norm())["type"], "prepare_reply");
  const json early = Ask(ProblemTrial(""));
  EXPECT_EQ(early["type"], "error");
  EXPECT_NE(early["message"].get<std::string>().find("reference"), std::string::npos);
  ASSERT_EQ(SetReferences(0)["type"], "references_reply");
  EXPECT_EQ(Try(ProblemTrial("")).outcome, Outcome::kCorrect);
}

TEST_F(RunnerProblem, AMatmulHasNoInputsToWrite) {
  StartPrepared();
  EXPECT_EQ(Ask(InputsRequest{0, folder_.string()})["type"], "error");
  EXPECT_EQ(Ask(ReferencesRequest{0, folder_.string()})["type"], "error");
}

TEST_F(RunnerProblem, BuffersGoByNameAndSize) {
  StartWith(Norm());
  TrialRequest request = ProblemTrial("");
  request.plan.buffers[2].name = "z";
  TrialReply reply = Try(request);
  EXPECT_EQ(reply.outcome, Outcome::kRuntime);
  EXPECT_EQ(reply.reason, "the plan's buffer 'z' is neither an operand nor scratch");
  request.plan.buffers[2] = {"y", kHalves + 2, false};
  reply = Try(request);
  EXPECT_EQ(reply.reason, "operand y has 4096 bytes here, 4098 in the plan");
}

TEST_F(RunnerProblem, AWrongOutputIsNamed) {
  StartWith(Norm());
  const TrialReply reply = Try(ProblemTrial("does=wrong"));
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  EXPECT_FALSE(reply.sticky);
  ASSERT_TRUE(reply.check);
  EXPECT_EQ(reply.check->tensor, "residual");  // the first of the written ones
  // 5 of the fake's in each of the three.
  EXPECT_NE(reply.reason.find("15 of 4128 elements are NaN, the first in residual, row 0"),
            std::string::npos)
      << reply.reason;
}

TEST_F(RunnerProblem, AKernelThatWritesItsInputIsWrong) {
  StartWith(Norm());
  const TrialReply reply = Try(ProblemTrial("does=clobber"));
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  EXPECT_TRUE(reply.sticky);
  EXPECT_EQ(reply.reason, "the candidate writes its input x (set 0)");
}

TEST_F(RunnerProblem, EveryLaunchOfATrialFindsItsInPlaceTensorsRestored) {
  StartInPlace();
  const TrialReply reply = Try(ProblemTrial("ms=0.5"));
  EXPECT_EQ(reply.outcome, Outcome::kCorrect) << reply.reason;
  ASSERT_TRUE(reply.timing);
  // The fake's copy takes 4 us, which no sample holds.
  for (const double ms : reply.timing->samples_ms) EXPECT_DOUBLE_EQ(ms, 0.5);
  // The check; two warm-ups; then batches in which no set comes twice: 8 sets, 10 samples.
  EXPECT_EQ(Story(), "CL" "CCLL" "CCCCCCCCHLLLLLLLL" "CCHLL");
}

TEST_F(RunnerProblem, WithoutInPlaceTensorsNothingIsRestored) {
  StartWith(Norm(/*in_place=*/false));
  ForgetLog();
  EXPECT_EQ(Try(ProblemTrial("")).outcome, Outcome::kCorrect);
  EXPECT_EQ(Story(), "LLLHLLLLLLLLLL");
}

TEST_F(RunnerProblem, ContractLaunchesInPlaceStandAloneBetweenTheirEvents) {
  StartInPlace();
  TimeRequest request;
  request.plan = ProblemTrial("ms=0.5").plan;
  request.regime = Regime::kContract;
  const auto reply = protocol::DecodeTimeReply(Ask(request));
  ASSERT_TRUE(reply) << reply.error().message;
  ASSERT_EQ(reply->timing.samples_ms.size(), 1u);
  EXPECT_NEAR(reply->timing.median_ms, 0.5, 1e-9);
  std::string expected = "CLCL";
  for (int i = 0; i < 60; ++i) expected += "CHL";
  EXPECT_EQ(Story(), expected);
}

TEST_F(RunnerProblem, SustainedInPlaceIsRoundsOverTheSets) {
  StartInPlace();
  TimeRequest request;
  request.plan = ProblemTrial("ms=50").plan;
  request.regime = Regime::kSustained;
  const auto reply = protocol::DecodeTimeReply(Ask(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->timing.samples_ms, std::vector<double>(3, 50.0));  // 8 sets, 1000 ms
}

TEST_F(RunnerProblem, DuelsInPlaceRestoreForBothSides) {
  StartInPlace();
  DuelRequest request;
  request.reference = DuelReference::kPlan;
  request.candidate = ProblemTrial("ms=1").plan;
  request.reference_plan = ProblemTrial("ms=2").plan;
  request.warmup = 1;
  request.min_pairs = 10;
  request.max_pairs = 10;
  const auto reply = protocol::DecodeDuelReply(Ask(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->duel.candidate_ms, std::vector<double>(10, 1.0));
  EXPECT_EQ(reply->duel.reference_ms, std::vector<double>(10, 2.0));
  const std::string story = Story();
  EXPECT_EQ(std::count(story.begin(), story.end(), 'C'), 22);
}

TEST_F(RunnerProblem, AllSetsMeansThoseWithAReference) {
  StartWith(Norm(/*in_place=*/false));
  ASSERT_EQ(SetReferences(2)["type"], "references_reply");
  ForgetLog();
  TrialRequest request = ProblemTrial("");
  request.check_all_sets = true;
  request.warmup = 0;
  request.samples = 1;
  EXPECT_EQ(Try(request).outcome, Outcome::kCorrect);
  EXPECT_EQ(Story(), "LLHL");
}

TEST_F(RunnerProblem, CublasIsNoReferenceForIt) {
  StartWith(Norm());
  DuelRequest request;
  request.candidate = ProblemTrial("").plan;
  const auto reply = protocol::DecodeDuelReply(Ask(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kRuntime);
  EXPECT_NE(reply->reason.find("cuBLAS has no call"), std::string::npos);
}

}  // namespace
}  // namespace croq::runner
