#include "croq/tune/judge/judge.h"

#include <nlohmann/json.hpp>

#include "croq/base/hash.h"
#include "unit/tune/tune_fixture.h"
#include "unit/tune_brought/helpers.h"

namespace croq::tune {
namespace {

const std::string kHonest =
    "import torch\nimport triton\nimport triton.language as tl\n"
    "@triton.jit\ndef mm(a, b, c, N, BLOCK: tl.constexpr):\n"
    "    i = tl.arange(0, BLOCK)\n    tl.store(c + i, tl.load(a + i), mask=i < N)\n"
    "def kernel_fn(a, b):\n"
    "    c = torch.empty((a.shape[0], b.shape[1]), device=a.device, dtype=a.dtype)\n"
    "    mm[(1,)](a, b, c, a.shape[0], BLOCK=64, num_warps=4)\n    return c\n";

/// One launch of `mm`, whose code depends on the file.
class FileCapture : public HostCapture {
 public:
  Result<Captured> Capture(const std::filesystem::path& source, const ShapeKey&,
                           const Problem*) override {
    ++captures;
    if (!refusal.empty()) return Captured{Outcome::kRuntime, refusal, {}, {}};
    Captured captured;
    CompileJob job;
    job.kernel = "mm";
    job.parameters.push_back({"SOURCE", "constexpr", false, {}});
    job.parameters.back().value.integer = static_cast<std::int64_t>(ReadFile(source)->size());
    captured.jobs = {job};
    captured.plan.buffers = {{"a", 64, false}, {"b", 64, false}, {"c", 64, false}};
    captured.plan.steps = {LaunchStep{}};
    return captured;
  }

  std::string refusal;
  int captures = 0;
};

class JudgeTest : public TuneTest {
 protected:
  JudgeTest()
      : files_(FileFactory::Parts{shape_, TritonContract(), reader_, capture_,
                                  paths_.Work() / "judged", std::make_unique<FakeFactory>()}) {
    StoreBaseline();
  }

  Result<Verdict> TryHandIn(const std::string& source, const std::string& tag = "mine") {
    Session session{shape_, device_,   paths_,     TritonContract(), {"/opt/croq/bin"},
                    files_, *journal_, *builder_,  *evaluator_,      *scripts_,
                    rules_, *strategy_, *observer_, interrupted_, baseline_ms_};
    Pipeline pipeline(files_, *builder_, paths_.Work() / "src");
    return Judge(session, files_, pipeline).Run({tag + ".py", tag, source}, "wider tiles");
  }
  Verdict HandIn(const std::string& source, const std::string& tag = "mine") {
    return Must(TryHandIn(source, tag));
  }

  static std::string ConfigOf(const std::string& source) {
    return "file source=" + Fingerprint(source);
  }

  FakeTreeReader reader_;
  FileCapture capture_;
  FileFactory files_;
};

TEST_F(JudgeTest, AnHonestFileBecomesAnIterationWithItsRatiosAndClaims) {
  const Verdict verdict = HandIn(kHonest);
  EXPECT_EQ(verdict.outcome, Outcome::kCorrect);
  ASSERT_TRUE(verdict.iteration);
  EXPECT_EQ(verdict.iteration->Name(), "iter001_mine");
  EXPECT_EQ(verdict.iteration->decision, Decision::kKeep);
  EXPECT_EQ(verdict.iteration->idea, "wider tiles");
  EXPECT_FALSE(verdict.attempt);
  EXPECT_TRUE(verdict.standing.of_baseline.known());
  EXPECT_EQ(verdict.claims.verify, "PASS");
  ASSERT_TRUE(verdict.claims.timing);
  EXPECT_EQ(ReadFile(paths_.Source("iter001_mine")).value(), kHonest);
}

TEST_F(JudgeTest, AFileThatBreaksTheRuleIsNeverRun) {
  const Verdict verdict = HandIn(
      kHonest + "def helper(a, b):\n    return a @ b\n"
                "def other(a, b):\n    return helper(a, b)\n"
                "kernel_fn = other\n");
  EXPECT_EQ(verdict.outcome, Outcome::kRule);
  ASSERT_TRUE(verdict.attempt);
  EXPECT_EQ(verdict.attempt->Name(), "attempt0001_mine");
  EXPECT_FALSE(verdict.rule.accepted());
  EXPECT_EQ(capture_.captures, 0);
  EXPECT_TRUE(scripts_->ran.empty());
  EXPECT_TRUE(std::filesystem::exists(paths_.Source("attempt0001_mine")));
}

TEST_F(JudgeTest, AFileThatPythonRefusesIsRejectedWithThePlace) {
  const Verdict verdict = HandIn("refuse me");
  EXPECT_EQ(verdict.outcome, Outcome::kRule);
  ASSERT_EQ(verdict.rule.findings.size(), 1u);
  EXPECT_EQ(verdict.rule.findings[0].line, 3);
  EXPECT_NE(verdict.reason.find("mine.py:3:"), std::string::npos) << verdict.reason;
}

TEST_F(JudgeTest, WhatCaptureOrTheCheckSaysIsTheOutcome) {
  capture_.refusal = "torch operation aten.mm is computed by torch";
  EXPECT_EQ(HandIn(kHonest).outcome, Outcome::kRuntime);
  capture_.refusal.clear();
  evaluator_->fails[ConfigOf(kHonest)] = Outcome::kCorrectness;
  const Verdict wrong = HandIn(kHonest);
  EXPECT_EQ(wrong.outcome, Outcome::kCorrectness);
  EXPECT_EQ(wrong.attempt->Name(), "attempt0002_mine");
  // Its own script was not even asked.
  EXPECT_TRUE(scripts_->ran.empty());
}

TEST_F(JudgeTest, AScriptsOwnWordDecidesNothing) {
  scripts_->runs.push_back(FakeScriptHost::Failed("exit 1", "VERIFY: FAIL max_abs_err=9\n"));
  const Verdict modest = HandIn(kHonest);
  EXPECT_EQ(modest.outcome, Outcome::kCorrect);
  EXPECT_EQ(modest.claims.verify.substr(0, 4), "FAIL");
  EXPECT_EQ(modest.claims.problem, "exit 1");
  EXPECT_EQ(modest.iteration->script_tflops, 0);
  // Boasting: 9999 TFLOPS printed; croq's own figure is stored.
  scripts_->runs.push_back(
      FakeScriptHost::Ended("VERIFY: PASS\nTFLOPS: 9999.00   time_ms: 0.001\n"));
  const Verdict boast = HandIn(kHonest + "# again\n", "boast");
  EXPECT_DOUBLE_EQ(boast.claims.timing->tflops, 9999);
  EXPECT_LT(boast.iteration->tflops, 9999);
}

TEST_F(JudgeTest, ALaterFileMeetsTheBestBeforeItAsStored) {
  HandIn(kHonest);
  evaluator_->times[ConfigOf(kHonest)] = 1;
  const std::string faster = kHonest + "# faster\n";
  evaluator_->times[ConfigOf(faster)] = 0.5;
  const Verdict second = HandIn(faster, "faster");
  EXPECT_EQ(second.best_before, "iter001_mine");
  EXPECT_EQ(second.iteration->decision, Decision::kKeep);
  EXPECT_TRUE(second.standing.of_best.known());
  const std::string slower = kHonest + "# slower, by far\n";
  evaluator_->times[ConfigOf(slower)] = 2;
  EXPECT_EQ(HandIn(slower, "slower").iteration->decision, Decision::kDiscard);
}

TEST_F(JudgeTest, ABestKernelsFileThatWasChangedIsAnErrorAndNoEasyWin) {
  HandIn(kHonest);
  Must(WriteFile(paths_.Source("iter001_mine"), kHonest + "# slow it down\n"));
  const Result<Verdict> second = TryHandIn(kHonest + "# second\n", "second");
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("is not the file that was judged"), std::string::npos);
}

TEST_F(JudgeTest, WhatAKilledRunLeftOpenBecomesAnAttempt) {
  Must(journal_->BeginIteration("other", "file source=0", 1).map([](int) {}));
  EXPECT_EQ(HandIn(kHonest).iteration->number, 1);
  const std::vector<Attempt> attempts = StoredAttempts();
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(attempts[0].reason, "interrupted before it had a verdict");
}

TEST(TagOfFile, MakesATagOfAnyName) {
  EXPECT_EQ(TagOfFile("x/iter003_My-Kernel v2.py"), "my_kernel_v2");
  EXPECT_EQ(TagOfFile("attempt0001_tiled.py"), "tiled");
  EXPECT_EQ(TagOfFile("3.py"), "candidate");
  EXPECT_EQ(TagOfFile("a.py"), "candidate");
  EXPECT_EQ(TagOfFile("\xc3\xa4\xc3\xb6.py"), "candidate");
  EXPECT_EQ(TagOfFile(std::string(60, 'k') + ".py"), std::string(31, 'k'));
}

}  // namespace
}  // namespace croq::tune
