#include "croq/tune/pipeline.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

using std::chrono::milliseconds;

class PipelineTest : public ::testing::Test {
 protected:
  void Propose(const std::vector<Config>& configs) {
    for (const Config& config : configs) strategy_.proposals.push_back(config);
  }
  /// The next candidate; fails the test where there is none.
  Built Take() {
    // One call may take up a single kernel of several.
    for (int calls = 0; calls < 10; ++calls) {
      std::optional<Built> built = Must(pipeline_.Next(milliseconds(0)));
      if (built)
        return std::move(*built);
    }
    ADD_FAILURE() << "no candidate came";
    return {};
  }

  journal::TempFolder folder_;
  FakeFactory factory_;
  FakeBuilder builder_{folder_.path() / "cubins"};
  ScriptedStrategy strategy_;
  Pipeline pipeline_{factory_, builder_, folder_.path() / "src"};
};

TEST_F(PipelineTest, FillsUpToTheTargetAndNotBeyond) {
  Propose({FakeConfig(1), FakeConfig(2), FakeConfig(3)});
  Must(pipeline_.Fill(strategy_, 2));
  EXPECT_EQ(pipeline_.InFlight(), 2);
  EXPECT_FALSE(pipeline_.Exhausted());
  EXPECT_EQ(strategy_.proposals.size(), 1u);
  Must(pipeline_.Fill(strategy_, 2));
  EXPECT_EQ(pipeline_.InFlight(), 2);
}

TEST_F(PipelineTest, IsExhaustedWhenTheStrategyIs) {
  Propose({FakeConfig(1)});
  Must(pipeline_.Fill(strategy_, 2));
  EXPECT_TRUE(pipeline_.Exhausted());
  EXPECT_EQ(pipeline_.InFlight(), 1);
  Take();
  Propose({FakeConfig(2)});
  Must(pipeline_.Fill(strategy_, 1));
  EXPECT_FALSE(pipeline_.Exhausted());
}

TEST_F(PipelineTest, ABuiltCandidateIsComplete) {
  Propose({FakeConfig(7, 132)});
  Must(pipeline_.Fill(strategy_, 1));
  const Built built = Take();
  EXPECT_EQ(built.outcome, Outcome::kCorrect);
  EXPECT_EQ(built.candidate.config, FakeConfig(7, 132));
  EXPECT_EQ(built.candidate.tag, "fake_7_132");
  EXPECT_EQ(built.candidate.source, "# " + FakeConfig(7, 132).Text() + "\n");
  ASSERT_EQ(built.candidate.plan.steps.size(), 1u);
  EXPECT_EQ(std::get<LaunchStep>(built.candidate.plan.steps[0]).grid[0], 132);
  EXPECT_EQ(built.candidate.build.registers, 64);
  EXPECT_EQ(built.candidate.build.shared_bytes, 1024);
  EXPECT_DOUBLE_EQ(built.candidate.build.compile_ms, 100);
  EXPECT_EQ(built.candidate.build.cubin_fingerprint, "kernel0_7");
  EXPECT_EQ(pipeline_.InFlight(), 0);
  EXPECT_FALSE(Must(pipeline_.Next(milliseconds(0))));
}

/// Makes no configuration of CODE 13, and gives each other one a file of its own.
class ParticularFactory : public FakeFactory {
 public:
  Result<operators::Made> Make(const Config& config) const override {
    CROQ_ASSIGN(operators::Script script, Render(config));
    const std::int64_t code = config.Int("CODE");
    if (code == 13) return operators::Made{Outcome::kRule, "E101", std::move(script), {}};
    return operators::Made{Outcome::kCorrect, "", std::move(script),
                           "/own/" + std::to_string(code) + ".py"};
  }
};

TEST_F(PipelineTest, AConfigurationThatCanNotBeMadeIsReadyAtOnce) {
  const ParticularFactory factory;
  Pipeline pipeline(factory, builder_, folder_.path() / "src");
  Propose({FakeConfig(13), FakeConfig(2)});
  Must(pipeline.Fill(strategy_, 2));
  EXPECT_EQ(pipeline.InFlight(), 2);
  const std::vector<Built> now = Must(pipeline.BuildNow({FakeConfig(13), FakeConfig(3)}));
  EXPECT_EQ(now[0].outcome, Outcome::kRule);
  EXPECT_EQ(now[0].reason, "E101");
  EXPECT_EQ(now[0].candidate.config, FakeConfig(13));
  EXPECT_EQ(now[1].outcome, Outcome::kCorrect);
  const std::optional<Built> first = Must(pipeline.Next(milliseconds(0)));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->outcome, Outcome::kRule);
}

/// Is done with a configuration once its CODE is released.
class SlowFactory : public FakeFactory {
 public:
  Status Begin(const Config& config) const override {
    begun.push_back(config.Int("CODE"));
    return {};
  }
  bool IsReady(const Config& config) const override {
    return released.contains(config.Int("CODE"));
  }
  int Room() const override { return 2; }

  mutable std::vector<std::int64_t> begun;
  std::set<std::int64_t> released;
};

TEST_F(PipelineTest, OthersGoOnWhileAConfigurationIsMade) {
  SlowFactory factory;
  Pipeline pipeline(factory, builder_, folder_.path() / "src");
  Propose({FakeConfig(1), FakeConfig(2), FakeConfig(3)});
  Must(pipeline.Fill(strategy_, 5));
  EXPECT_EQ(factory.begun, (std::vector<std::int64_t>{1, 2}));  // there is room for two
  EXPECT_EQ(pipeline.InFlight(), 2);
  EXPECT_FALSE(pipeline.Exhausted());
  EXPECT_FALSE(Must(pipeline.Next(milliseconds(0))));
  EXPECT_TRUE(builder_.submitted.empty());
  factory.released = {2};
  const std::optional<Built> built = Must(pipeline.Next(milliseconds(0)));
  ASSERT_TRUE(built);
  EXPECT_EQ(built->candidate.config, FakeConfig(2));
  Must(pipeline.Fill(strategy_, 5));
  EXPECT_EQ(factory.begun.back(), 3);
  factory.released = {2, 3, 4};
  EXPECT_EQ(Must(pipeline.BuildNow({FakeConfig(4)}))[0].candidate.config, FakeConfig(4));
  EXPECT_EQ(pipeline.InFlight(), 2);  // the third is built, the first is not made yet
}

TEST_F(PipelineTest, AConfigurationsOwnFileIsWhatIsCompiled) {
  const ParticularFactory factory;
  Pipeline pipeline(factory, builder_, folder_.path() / "src");
  Must(pipeline.BuildNow({FakeConfig(2), FakeConfig(3)}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "src" / "fake.py"));
}

TEST_F(PipelineTest, CompilesEachVariantFromOneFile) {
  Propose({FakeConfig(1), FakeConfig(2)});
  Must(pipeline_.Fill(strategy_, 2));
  ASSERT_EQ(builder_.submitted.size(), 2u);
  EXPECT_EQ(builder_.submitted[0].source_path, builder_.submitted[1].source_path);
  EXPECT_EQ(Must(ReadFile(builder_.submitted[0].source_path)), "# " + FakeConfig(1).Text() + "\n");
}

TEST_F(PipelineTest, ACandidateOfSeveralKernelsComesOnceAllAreBuilt) {
  builder_.newest_first = true;  // its second kernel is done before its first
  builder_.shape = [](const CompileJob& job, BuildResult& result) {
    result.kernel.registers = job.kernel == "kernel0" ? 40 : 90;
    result.kernel.local_bytes = job.kernel == "kernel0" ? 8 : 0;
    result.kernel.shared_bytes = job.kernel == "kernel0" ? 2048 : 512;
  };
  Propose({FakeConfig(1, 1, 2)});
  Must(pipeline_.Fill(strategy_, 1));
  EXPECT_FALSE(Must(pipeline_.Next(milliseconds(0))));
  const std::optional<Built> built = Must(pipeline_.Next(milliseconds(0)));
  ASSERT_TRUE(built);
  const LaunchPlan& plan = built->candidate.plan;
  ASSERT_EQ(plan.kernels.size(), 2u);
  EXPECT_EQ(plan.kernels[0].entry, "kernel0");
  EXPECT_EQ(plan.kernels[1].entry, "kernel1");
  const BuildFacts& facts = built->candidate.build;
  EXPECT_EQ(facts.registers, 90);
  EXPECT_EQ(facts.local_bytes, 8);
  EXPECT_EQ(facts.shared_bytes, 2048);
  EXPECT_DOUBLE_EQ(facts.compile_ms, 200);
  EXPECT_EQ(facts.cubin_fingerprint, "kernel0_1+kernel1_1");
}

TEST_F(PipelineTest, OneFailedKernelFailsTheCandidate) {
  builder_.shape = [](const CompileJob& job, BuildResult& result) {
    if (job.kernel != "kernel1")
      return;
    result.outcome = Outcome::kTimeout;
    result.reason = "ptxas took too long";
    result.log_path = "/logs/ptxas.txt";
  };
  Propose({FakeConfig(1, 1, 3)});
  Must(pipeline_.Fill(strategy_, 1));
  const Built built = Take();
  EXPECT_EQ(built.outcome, Outcome::kTimeout);
  EXPECT_EQ(built.reason, "ptxas took too long");
  EXPECT_EQ(built.log, "/logs/ptxas.txt");
  EXPECT_TRUE(built.candidate.plan.kernels.empty());
  EXPECT_EQ(built.candidate.config, FakeConfig(1, 1, 3));
}

TEST_F(PipelineTest, CandidatesComeInTheOrderInWhichTheirBuildsEnd) {
  builder_.newest_first = true;
  Propose({FakeConfig(1), FakeConfig(2), FakeConfig(3)});
  Must(pipeline_.Fill(strategy_, 3));
  EXPECT_EQ(Take().candidate.config, FakeConfig(3));
  EXPECT_EQ(Take().candidate.config, FakeConfig(2));
  EXPECT_EQ(Take().candidate.config, FakeConfig(1));
}

TEST_F(PipelineTest, BuildNowReturnsItsOwnInTheirOrderAndKeepsTheOthersForNext) {
  Propose({FakeConfig(1), FakeConfig(2)});
  Must(pipeline_.Fill(strategy_, 2));
  const std::vector<Built> built = Must(pipeline_.BuildNow({FakeConfig(8, 1, 2), FakeConfig(9)}));
  ASSERT_EQ(built.size(), 2u);
  EXPECT_EQ(built[0].candidate.config, FakeConfig(8, 1, 2));
  EXPECT_EQ(built[1].candidate.config, FakeConfig(9));
  EXPECT_EQ(pipeline_.InFlight(), 2);
  EXPECT_EQ(Take().candidate.config, FakeConfig(1));
  EXPECT_EQ(Take().candidate.config, FakeConfig(2));
  EXPECT_EQ(pipeline_.InFlight(), 0);
}

TEST_F(PipelineTest, BuildNowKeepsTheOrderOfItsArgumentsWhateverEndsFirst) {
  builder_.newest_first = true;
  const std::vector<Built> built =
      Must(pipeline_.BuildNow({FakeConfig(1), FakeConfig(2), FakeConfig(3)}));
  ASSERT_EQ(built.size(), 3u);
  EXPECT_EQ(built[0].candidate.config, FakeConfig(1));
  EXPECT_EQ(built[1].candidate.config, FakeConfig(2));
  EXPECT_EQ(built[2].candidate.config, FakeConfig(3));
}

TEST_F(PipelineTest, BuildNowTellsOfItsFailures) {
  builder_.shape = [](const CompileJob& job, BuildResult& result) {
    if (job.parameters[0].value.integer == 2)
      result.outcome = Outcome::kCompile;
  };
  const std::vector<Built> built = Must(pipeline_.BuildNow({FakeConfig(1), FakeConfig(2)}));
  EXPECT_EQ(built[0].outcome, Outcome::kCorrect);
  EXPECT_EQ(built[1].outcome, Outcome::kCompile);
}

TEST_F(PipelineTest, BuildNowOfNothingIsNothing) {
  EXPECT_TRUE(Must(pipeline_.BuildNow({})).empty());
}

TEST_F(PipelineTest, ABuiltCandidateHoldsItsCubins) {
  Must(pipeline_.BuildNow({FakeConfig(1, 1), FakeConfig(1, 2)}));
  const std::vector<Built> again = Must(pipeline_.BuildNow({FakeConfig(1, 3)}));
  pipeline_.cubins().Release(again[0].candidate.plan);
  EXPECT_TRUE(std::filesystem::exists(builder_.CubinOf("kernel0_1")));
}

// The builder puts equal code into one file. It may have built a candidate whose file then went
// with the last candidate that held it.
TEST_F(PipelineTest, ACubinThatWentWithItsLastHolderIsBuiltAgain) {
  Propose({FakeConfig(1, 1), FakeConfig(1, 2)});
  Must(pipeline_.Fill(strategy_, 2));
  const Built first = Take();
  pipeline_.cubins().Release(first.candidate.plan);
  ASSERT_FALSE(std::filesystem::exists(builder_.CubinOf("kernel0_1")));
  const Built second = Take();
  EXPECT_EQ(second.outcome, Outcome::kCorrect);
  EXPECT_EQ(second.candidate.config, FakeConfig(1, 2));
  EXPECT_TRUE(std::filesystem::exists(second.candidate.plan.kernels.at(0).cubin_path));
}

TEST_F(PipelineTest, ATemplateThatCannotBeRenderedIsAnError) {
  Propose({Config{"fake", {{"CODE", 1}, {"RENDERS", 0}}}});
  const Status filled = pipeline_.Fill(strategy_, 1);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().message, "the template is broken");
}

}  // namespace
}  // namespace croq::tune
