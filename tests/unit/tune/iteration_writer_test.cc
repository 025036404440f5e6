#include "croq/tune/iteration_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

class IterationWriterTest : public TuneTest {
 protected:
  IterationWriterTest() : session_(MakeSession()), writer_(session_) { StoreBaseline(); }

  static Candidate Make(std::int64_t code) {
    Candidate candidate;
    candidate.config = FakeConfig(code);
    candidate.tag = FakeFactory::TagOf(candidate.config);
    candidate.source = "# kernel " + std::to_string(code) + "\n";
    candidate.build.registers = 168;
    return candidate;
  }

  /// Times as screened: the candidate's, and the best's before it (0: none).
  std::optional<Iteration> Write(double ms, double best_ms = 0) {
    evaluator_->times[FakeConfig(1).Text()] = ms;
    evaluator_->times[FakeConfig(2).Text()] = best_ms;
    scripts_->script_ms = ms;
    const Candidate best = Make(2);
    return Must(writer_.Write(Make(1), best_ms > 0 ? &best : nullptr,
                              {3, "wider tiles", "it was fastest"}))
        .iteration;
  }

  Session session_;
  IterationWriter writer_;
};

TEST_F(IterationWriterTest, TheFirstKernelIsKept) {
  const std::optional<Iteration> written = Write(0.5);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->Name(), "iter001_fake_1_1");
  EXPECT_EQ(written->decision, Decision::kKeep);
  const std::optional<Iteration> stored = Must(journal_->read().Best());
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->number, 1);
  EXPECT_EQ(stored->round, 3);
  EXPECT_EQ(stored->config, FakeConfig(1).Text());
  EXPECT_TRUE(stored->verified);
  EXPECT_DOUBLE_EQ(stored->max_abs_err, 3e-4);
  EXPECT_DOUBLE_EQ(stored->time_ms, 0.5);
  EXPECT_DOUBLE_EQ(stored->tflops, Tflops(shape_.Flops(), 0.5));
  EXPECT_DOUBLE_EQ(stored->ratio, 1.02);
  EXPECT_DOUBLE_EQ(stored->ratio_low, 1.01);
  EXPECT_DOUBLE_EQ(stored->ratio_high, 1.03);
  EXPECT_NEAR(stored->script_tflops, Tflops(shape_.Flops(), 0.5), 0.01);
  EXPECT_EQ(stored->build.registers, 168);
}

TEST_F(IterationWriterTest, ItsScriptsExistBeforeTheyRunInOrder) {
  Write(0.5);
  EXPECT_EQ(scripts_->ran, (std::vector<std::string>{"build_iter001", "run_iter001"}));
  EXPECT_FALSE(scripts_->missing_files);
  EXPECT_EQ(Must(ReadFile(paths_.Source("iter001_fake_1_1"))), "# kernel 1\n");
}

TEST_F(IterationWriterTest, AFasterKernelIsKept) {
  const std::optional<Iteration> written = Write(0.5, 0.6);
  EXPECT_EQ(written.value().decision, Decision::kKeep);
  EXPECT_DOUBLE_EQ(written->best_ratio, 1.2);
  ASSERT_EQ(evaluator_->judged.size(), 1u);
  EXPECT_EQ(evaluator_->judged[0].second, FakeConfig(2).Text());
}

TEST_F(IterationWriterTest, AnIntervalThatIncludesOneIsDiscarded) {
  evaluator_->on_judge = [](const Candidate&, Standing& standing) {
    standing.of_best = {1.004, 0.999, 1.009};
  };
  const std::optional<Iteration> written = Write(0.5, 0.502);
  EXPECT_EQ(written.value().decision, Decision::kDiscard);
  EXPECT_EQ(StoredIterations().size(), 2u);
  EXPECT_EQ(observer_->Of("iteration").at(0).at("decision"), "DISCARD");
}

TEST_F(IterationWriterTest, AnIntervalThatTouchesOneIsDiscarded) {
  evaluator_->on_judge = [](const Candidate&, Standing& standing) {
    standing.of_best = {1.01, 1.0, 1.02};
  };
  EXPECT_EQ(Write(0.5, 0.5).value().decision, Decision::kDiscard);
}

TEST_F(IterationWriterTest, ASlowerKernelIsDiscarded) {
  EXPECT_EQ(Write(0.5, 0.4).value().decision, Decision::kDiscard);
}

TEST_F(IterationWriterTest, TheIdeaIsLogged) {
  Write(0.5, 0.6);
  const std::vector<journal::Idea> ideas = Must(journal_->read().Ideas());
  ASSERT_EQ(ideas.size(), 1u);
  EXPECT_EQ(ideas[0].iter, "iter001");
  EXPECT_EQ(ideas[0].idea, "wider tiles");
  EXPECT_EQ(ideas[0].evidence, "it was fastest");
  EXPECT_EQ(ideas[0].actual, "1.200 times as fast as the best before it [1.188, 1.212]");
  EXPECT_EQ(ideas[0].decision, Decision::kKeep);
}

TEST_F(IterationWriterTest, TheEventNamesTheFileAndTheBars) {
  evaluator_->on_judge = [](const Candidate&, Standing& standing) {
    standing.of_heuristic = {0.98, 0.97, 0.99};
  };
  Write(0.5);
  const nlohmann::json event = observer_->Of("iteration").at(0);
  EXPECT_EQ(event.at("iteration"), "iter001_fake_1_1");
  EXPECT_EQ(event.at("path"), paths_.Source("iter001_fake_1_1").string());
  EXPECT_EQ(event.at("ratio_cublas").at("value"), 1.02);
  EXPECT_EQ(event.at("ratio_cublas_lt_best").at("low"), 0.97);
}

TEST_F(IterationWriterTest, AFailedScriptIsTriedAgain) {
  scripts_->builds.push_back(FakeScriptHost::Failed("exit 137: killed"));
  const std::optional<Iteration> written = Write(0.5);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->number, 1);
  EXPECT_EQ(scripts_->ran,
            (std::vector<std::string>{"build_iter001", "build_iter001", "run_iter001"}));
  EXPECT_NE(observer_->Messages("warning").find("exit 137: killed"), std::string::npos);
}

TEST_F(IterationWriterTest, AScriptThatFailsThroughItsBudgetBecomesAnAttempt) {
  const int budget = TritonContract().scripts.retry_budget;
  for (int i = 0; i < budget; ++i) {
    scripts_->runs.push_back(FakeScriptHost::Failed("exit 1: ptxas", "CompilationError\n"));
  }
  EXPECT_FALSE(Write(0.5));
  EXPECT_EQ(std::count(scripts_->ran.begin(), scripts_->ran.end(), "run_iter001"), budget);
  EXPECT_TRUE(evaluator_->judged.empty());
  const std::vector<Attempt> attempts = StoredAttempts();
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(attempts[0].Name(), "attempt0001_fake_1_1");
  EXPECT_EQ(attempts[0].outcome, Outcome::kCompile);
  EXPECT_EQ(attempts[0].reason, "exit 1: ptxas");
  EXPECT_EQ(attempts[0].tries, budget);
  EXPECT_EQ(attempts[0].config, FakeConfig(1).Text());
  EXPECT_EQ(Must(ReadFile(attempts[0].log)), "CompilationError\n");
  EXPECT_EQ(observer_->Of("attempt").at(0).at("outcome"), "compile");
}

TEST_F(IterationWriterTest, AnAttemptTakesItsSourceAlongAndGivesTheNumberBack) {
  scripts_->runs.push_back(FakeScriptHost::Ended("VERIFY: FAIL max_abs_err=1.5\n"));
  EXPECT_FALSE(Write(0.5));
  EXPECT_FALSE(std::filesystem::exists(paths_.Source("iter001_fake_1_1")));
  EXPECT_FALSE(std::filesystem::exists(paths_.RunScript(1)));
  EXPECT_EQ(Must(ReadFile(paths_.Source("attempt0001_fake_1_1"))), "# kernel 1\n");
  EXPECT_FALSE(Must(journal_->FindOpenIteration()));
  EXPECT_EQ(Write(0.5).value().number, 1);
}

TEST_F(IterationWriterTest, WrongNumbersAreNotTriedAgain) {
  scripts_->runs.push_back(FakeScriptHost::Ended("VERIFY: FAIL max_abs_err=1.5\n"));
  EXPECT_FALSE(Write(0.5));
  EXPECT_EQ(scripts_->ran.size(), 2u);
  const Attempt attempt = StoredAttempts().at(0);
  EXPECT_EQ(attempt.outcome, Outcome::kCorrectness);
  EXPECT_EQ(attempt.tries, 1);
  EXPECT_NE(attempt.reason.find("max_abs_err=1.5"), std::string::npos);
}

TEST_F(IterationWriterTest, AVerifyThatFailsWithAnExitCodeIsStillWrongNumbers) {
  scripts_->runs.push_back(FakeScriptHost::Failed("exit 1", "VERIFY: FAIL max_abs_err=2\n"));
  EXPECT_FALSE(Write(0.5));
  EXPECT_EQ(scripts_->ran.size(), 2u);
  EXPECT_EQ(StoredAttempts().at(0).outcome, Outcome::kCorrectness);
}

TEST_F(IterationWriterTest, AScriptPastItsDeadlineTimesOut) {
  scripts_->builds = {FakeScriptHost::TimedOut(), FakeScriptHost::TimedOut()};
  EXPECT_FALSE(Write(0.5));
  EXPECT_EQ(StoredAttempts().at(0).outcome, Outcome::kTimeout);
}

TEST_F(IterationWriterTest, AScriptThatDoesNotPrintItsTimeIsARuntimeFailure) {
  scripts_->runs = {FakeScriptHost::Ended("VERIFY: PASS\n"),
                    FakeScriptHost::Ended("VERIFY: PASS\n")};
  EXPECT_FALSE(Write(0.5));
  EXPECT_EQ(StoredAttempts().at(0).outcome, Outcome::kRuntime);
}

TEST_F(IterationWriterTest, AKernelThatFailsItsDuelBecomesAnAttempt) {
  evaluator_->on_judge = [](const Candidate&, Standing& standing) {
    standing.outcome = Outcome::kRuntime;
    standing.reason = "illegal address in input set 3";
  };
  EXPECT_FALSE(Write(0.5));
  EXPECT_EQ(StoredAttempts().at(0).outcome, Outcome::kRuntime);
  EXPECT_EQ(StoredAttempts().at(0).reason, "illegal address in input set 3");
  EXPECT_EQ(StoredIterations().size(), 1u);
}

TEST_F(IterationWriterTest, AKernelThatHangsInTheContractRegimeBecomesAnAttempt) {
  evaluator_->contract_time = [](const Candidate&) {
    return ContractTiming{Outcome::kTimeout, "in the contract regime: no end within 5000 ms", 0};
  };
  EXPECT_FALSE(Write(0.5));
  ASSERT_EQ(StoredAttempts().size(), 1u);
  EXPECT_EQ(StoredAttempts()[0].outcome, Outcome::kTimeout);
  EXPECT_EQ(StoredAttempts()[0].reason, "in the contract regime: no end within 5000 ms");
  EXPECT_FALSE(Must(journal_->FindOpenIteration()));
}

TEST_F(IterationWriterTest, ADisagreementOverFivePercentIsAWarning) {
  evaluator_->contract_time = [](const Candidate&) {
    return ContractTiming{Outcome::kCorrect, "", 0.6};
  };
  ASSERT_TRUE(Write(0.5));
  EXPECT_NE(observer_->Messages("warning").find("iter001_fake_1_1"), std::string::npos);
  EXPECT_EQ(observer_->Of("script").size(), 1u);
}

TEST_F(IterationWriterTest, AgreementIsNoWarning) {
  ASSERT_TRUE(Write(0.5));
  EXPECT_EQ(observer_->Messages("warning"), "");
}

TEST_F(IterationWriterTest, WithoutAGpuTheScriptIsBuiltAndNotRun) {
  evaluator_->predicted = true;
  const std::optional<Iteration> written = Write(0.5, 0.6);
  ASSERT_TRUE(written);
  EXPECT_TRUE(written->predicted);
  EXPECT_EQ(scripts_->ran, std::vector<std::string>{"build_iter001"});
  EXPECT_EQ(evaluator_->contract_timings, 0);
  const std::vector<journal::Idea> ideas = Must(journal_->read().Ideas());
  EXPECT_NE(ideas.at(0).actual.find("(predicted)"), std::string::npos);
}

TEST_F(IterationWriterTest, AnErrorLeavesTheIterationToBeTakenUpAgain) {
  evaluator_->judge_error = "the GPU is gone";
  const auto written = writer_.Write(Make(1), nullptr, {1, "", ""});
  ASSERT_FALSE(written);
  const auto open = Must(journal_->FindOpenIteration());
  ASSERT_TRUE(open);
  EXPECT_EQ(open->number, 1);
  evaluator_->judge_error.clear();
  EXPECT_EQ(Must(writer_.Write(Make(1), nullptr, {1, "", ""})).iteration.value().number, 1);
  EXPECT_EQ(StoredIterations().size(), 2u);
}

TEST_F(IterationWriterTest, WhatBreaksTheRuleIsAnAttemptThatWasNeverBuilt) {
  rules_.marker = "# kernel 1";
  const std::size_t runs = scripts_->ran.size();
  EXPECT_FALSE(Write(0.5));
  ASSERT_EQ(rules_.asked.size(), 1u);
  EXPECT_EQ(rules_.asked[0].first, paths_.Source("iter001_fake_1_1").string());
  EXPECT_EQ(rules_.asked[0].second, 1);
  EXPECT_EQ(scripts_->ran.size(), runs);
  const std::vector<Attempt> attempts = StoredAttempts();
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(attempts[0].outcome, Outcome::kRule);
  EXPECT_EQ(attempts[0].reason, "E102 at line 1: it computes with torch");
  EXPECT_EQ(attempts[0].tries, 1);
  const std::string log = Must(ReadFile(attempts[0].log));
  EXPECT_NE(log.find("reject E102: it computes with torch"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(paths_.BuildLog(1)));
  rules_.marker.clear();
  const std::optional<Iteration> next = Write(0.5);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->number, 1);  // the number was given back
}

TEST_F(IterationWriterTest, SuspicionsAreWarnings) {
  rules_.suspicious = "# kernel 1";
  EXPECT_TRUE(Write(0.5));
  EXPECT_EQ(observer_->Messages("warning"), "iter001_fake_1_1: S101 at line 1: it is odd\n");
}

}  // namespace
}  // namespace croq::tune
