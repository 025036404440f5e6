#include <algorithm>
#include <set>

#include "croq/protocol/messages.h"
#include "runner_fixture.h"

namespace croq::runner {
namespace {

using nlohmann::json;

class RunnerTiming : public RunnerOnFake {
 protected:
  RunnerTiming() { StartPrepared(); }

  TimeReply Time(const std::string& description, Regime regime) {
    TimeRequest request;
    request.plan = Plan(description);
    request.regime = regime;
    const auto reply =
        protocol::DecodeTimeReply(*runner_->Ask(protocol::WithId(protocol::Encode(request), 5)));
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(TimeReply{});
  }

  /// The first pointer of each launch: the A of its input set.
  std::vector<std::string> OperandsOfLaunches() const {
    std::vector<std::string> operands;
    for (const std::string& line : LogLines()) {
      const std::size_t at = line.find(" first ");
      if (at != std::string::npos)
        operands.push_back(line.substr(at));
    }
    return operands;
  }
};

TEST_F(RunnerTiming, APlainlySlowTrialStopsEarly) {
  TrialRequest request = Trial("ms=3");
  request.stop_above_ms = 1;
  const auto reply = protocol::DecodeTrialReply(*RunTrial(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kCorrect);
  ASSERT_TRUE(reply->timing);
  EXPECT_TRUE(reply->timing->stopped_early);
  EXPECT_EQ(reply->timing->samples_ms, (std::vector<double>{3, 3}));
  EXPECT_EQ(OperandsOfLaunches().size(), 3u);  // the checked one and two warm-ups
}

TEST_F(RunnerTiming, AFastTrialDoesNot) {
  TrialRequest request = Trial("ms=1");
  request.stop_above_ms = 1;
  const auto reply = protocol::DecodeTrialReply(*RunTrial(request));
  EXPECT_FALSE(reply->timing->stopped_early);
  EXPECT_EQ(OperandsOfLaunches().size(), 13u);
}

TEST_F(RunnerTiming, AHardlyBestTrialGetsThreeSamples) {
  TrialRequest request = Trial("ms=3");
  request.stop_above_ms = 4;
  request.halve_above_ms = 2;
  const auto reply = protocol::DecodeTrialReply(*RunTrial(request));
  ASSERT_TRUE(reply && reply->timing);
  EXPECT_TRUE(reply->timing->stopped_early);
  EXPECT_EQ(reply->timing->samples_ms.size(), 3u);
  EXPECT_DOUBLE_EQ(reply->timing->median_ms, 3);
  EXPECT_EQ(OperandsOfLaunches().size(), 6u);  // the checked one, two warm-ups, three samples
}

TEST_F(RunnerTiming, ATrialThatMayBeTheBestGetsAllSamples) {
  TrialRequest request = Trial("ms=2");
  request.stop_above_ms = 4;
  request.halve_above_ms = 2;
  const auto reply = protocol::DecodeTrialReply(*RunTrial(request));
  ASSERT_TRUE(reply && reply->timing);
  EXPECT_FALSE(reply->timing->stopped_early);
  EXPECT_EQ(reply->timing->samples_ms.size(), 10u);
  EXPECT_EQ(OperandsOfLaunches().size(), 13u);
}

TEST_F(RunnerTiming, ColdSamplesRotateOverAllSets) {
  ASSERT_TRUE(RunTrial(Trial("")));
  const std::vector<std::string> operands = OperandsOfLaunches();
  ASSERT_EQ(operands.size(), 13u);
  // After the checked launch no set comes again before all six have been used.
  for (std::size_t i = 1; i + 6 <= operands.size(); ++i) {
    EXPECT_EQ(std::set<std::string>(operands.begin() + static_cast<std::ptrdiff_t>(i),
                                    operands.begin() + static_cast<std::ptrdiff_t>(i) + 6)
                  .size(),
              6u);
  }
}

TEST_F(RunnerTiming, CheckAllSetsChecksEach) {
  TrialRequest request = Trial("");
  request.check_all_sets = true;
  request.warmup = 0;
  request.samples = 1;
  ASSERT_TRUE(RunTrial(request));
  const std::vector<std::string> operands = OperandsOfLaunches();
  ASSERT_EQ(operands.size(), 7u);
  EXPECT_EQ(std::set<std::string>(operands.begin(), operands.end()).size(), 6u);
}

TEST_F(RunnerTiming, SamplesAreTakenBehindAHeldStream) {
  ASSERT_TRUE(RunTrial(Trial("")));
  const std::vector<std::string> lines = LogLines();
  // One hold, after the checked launch and the warm-ups, before the samples.
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "hold"), 1);
  ASSERT_GT(lines.size(), 3u);
  EXPECT_EQ(lines[3], "hold");
}

TEST_F(RunnerTiming, AStreamIsHeldForNoMoreThanItsQueueTakes) {
  TrialRequest request = Trial("");
  const PlanStep launch = request.plan.steps[0];
  request.plan.steps.assign(40, launch);  // 80 entries: three launches a held batch
  ASSERT_TRUE(RunTrial(request));
  std::vector<std::string> lines = LogLines();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "hold"), 4);
  request.plan.steps.assign(400, launch);
  ASSERT_TRUE(RunTrial(request));
  lines = LogLines();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "hold"), 4);
}

TEST_F(RunnerTiming, ContractIsOneLoopOnOneSet) {
  const TimeReply reply = Time("ms=0.5", Regime::kContract);
  EXPECT_EQ(reply.outcome, Outcome::kCorrect) << reply.reason;
  EXPECT_EQ(reply.timing.regime, Regime::kContract);
  EXPECT_EQ(reply.timing.samples_ms, std::vector<double>{0.5});
  const std::vector<std::string> operands = OperandsOfLaunches();
  EXPECT_EQ(operands.size(), 62u);
  EXPECT_EQ(std::set<std::string>(operands.begin(), operands.end()).size(), 1u);
}

TEST_F(RunnerTiming, ColdIsFiftySamples) {
  const TimeReply reply = Time("ms=0.5", Regime::kCold);
  EXPECT_EQ(reply.timing.samples_ms, std::vector<double>(50, 0.5));
}

TEST_F(RunnerTiming, SustainedIsAtLeastASecondOfDeviceTime) {
  const TimeReply reply = Time("ms=2", Regime::kSustained);
  EXPECT_EQ(reply.outcome, Outcome::kCorrect) << reply.reason;
  EXPECT_EQ(reply.timing.samples_ms, std::vector<double>(20, 2.0));  // 20 loops of 25 launches
}

class RunnerDuels : public RunnerTiming {
 protected:
  DuelReply Duel(DuelRequest request) {
    request.reference = DuelReference::kPlan;
    const auto reply =
        protocol::DecodeDuelReply(*runner_->Ask(protocol::WithId(protocol::Encode(request), 4)));
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(DuelReply{});
  }
};

TEST_F(RunnerDuels, AClearOneEndsAtTheSmallestNumberOfPairs) {
  DuelRequest request;
  request.candidate = Plan("ms=1");
  request.reference_plan = Plan("ms=2");
  request.max_wall_ms = 60000;
  const DuelReply reply = Duel(request);
  EXPECT_EQ(reply.outcome, Outcome::kCorrect) << reply.reason;
  EXPECT_EQ(reply.duel.candidate_ms, std::vector<double>(20, 1.0));
  EXPECT_EQ(reply.duel.reference_ms, std::vector<double>(20, 2.0));
}

TEST_F(RunnerDuels, TheWallEndsIt) {
  DuelRequest request;
  request.candidate = Plan("ms=1");
  request.reference_plan = Plan("ms=2");
  request.min_pairs = 40;
  request.max_wall_ms = 0;
  EXPECT_EQ(Duel(request).duel.candidate_ms.size(), 10u);
}

TEST_F(RunnerDuels, TheOrderAlternatesAndNoSetIsUsedTwiceInAPair) {
  DuelRequest request;
  request.candidate = Plan("ms=1");
  request.reference_plan = Plan("ms=1");
  request.candidate.steps[0] = [&] {
    LaunchStep step = std::get<LaunchStep>(request.candidate.steps[0]);
    step.grid = {7, 1, 1};  // to tell them apart in the log
    return step;
  }();
  request.warmup = 1;
  request.min_pairs = 10;
  request.max_pairs = 10;
  Duel(request);
  std::vector<std::string> lines;
  for (const std::string& line : LogLines()) {
    if (line != "hold")
      lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 22u);
  const auto is_candidate = [](const std::string& line) {
    return line.find("grid 7,") != std::string::npos;
  };
  for (std::size_t pair = 0; pair < 10; ++pair) {
    const std::string& first = lines[2 + 2 * pair];
    const std::string& second = lines[3 + 2 * pair];
    EXPECT_EQ(is_candidate(first), pair % 2 == 0) << pair;
    EXPECT_EQ(is_candidate(second), pair % 2 == 1) << pair;
    EXPECT_NE(first.substr(first.find(" first ")), second.substr(second.find(" first ")));
  }
}

TEST_F(RunnerTiming, StepsRunInTheirOrderAndClustersMultiplyTheGrid) {
  TrialRequest request = Trial("");
  request.plan.kernels[0].num_ctas = 2;
  request.plan.buffers.push_back({"scratch0", 4096, true});
  request.plan.steps.insert(request.plan.steps.begin(),
                            FillStep{3, 0, 4096, {0, 1, 2, 3, 4, 5, 6, 7}});
  request.plan.steps.push_back(CopyStep{3, 0, 2, 0, 4096});
  const auto reply = protocol::DecodeTrialReply(*RunTrial(request));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->outcome, Outcome::kCorrect) << reply->reason;
  EXPECT_NE(LogLines().at(0).find("grid 8,1,1 threads 128 shared 0 attributes 2"),
            std::string::npos)
      << LogLines().at(0);
}

}  // namespace
}  // namespace croq::runner
