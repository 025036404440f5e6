#include "croq/tune/brought/reference_stage.h"

#include "support/fake_runner.h"
#include "unit/tune_brought/helpers.h"

namespace croq::tune {
namespace {

class FakeReference : public ReferenceRunner {
 public:
  Result<ReferenceRun> Run(const std::filesystem::path&, const Problem&,
                           const std::filesystem::path& inputs,
                           const std::filesystem::path& outputs, bool time) override {
    EXPECT_TRUE(std::filesystem::is_directory(inputs));
    EXPECT_TRUE(std::filesystem::is_directory(outputs));
    timed.push_back(time);
    return run;
  }

  ReferenceRun run{Outcome::kCorrect, "", 1.5, 1.25, ""};
  std::vector<bool> timed;
};

class ReferenceStageTest : public ::testing::Test {
 protected:
  ReferenceStageTest() {
    file_.path = "/x/mine.py";
    file_.problem.emplace();
    file_.problem->reference = "ref";
    std::filesystem::remove_all(work_);
  }

  Result<ReferenceBar> SetUp(int sets) {
    ReferenceStage stage(runner_, reference_, file_, work_);
    CROQ_TRY(stage.Start(sets));
    EXPECT_TRUE(runner_.references.empty());
    return stage.Finish();
  }

  const std::filesystem::path work_ = TestFolder() / "references";
  BroughtFile file_;
  testing::FakeRunner runner_;
  FakeReference reference_;
};

TEST_F(ReferenceStageTest, SetsReferencesFromTheRunnersOwnInputsAndTimesOnce) {
  const ReferenceBar bar = SetUp(3).value();
  EXPECT_EQ(bar.contract_ms, 1.5);
  EXPECT_EQ(bar.cold_ms, 1.25);
  ASSERT_EQ(runner_.inputs.size(), 2u);
  ASSERT_EQ(runner_.references.size(), 2u);
  EXPECT_EQ(runner_.references[1].set, 1);
  EXPECT_EQ(reference_.timed, (std::vector<bool>{true, false}));
  // A fresh runner process reads the references again; the inputs were only passed on.
  EXPECT_TRUE(std::filesystem::exists(runner_.references[1].folder));
  EXPECT_FALSE(std::filesystem::exists(runner_.inputs[1].folder));
}

TEST_F(ReferenceStageTest, OneSetIsEnough) {
  EXPECT_TRUE(SetUp(1));
  EXPECT_EQ(runner_.references.size(), 1u);
}

TEST_F(ReferenceStageTest, OneThatIsGivenUpIsWaitedFor) {
  {
    ReferenceStage stage(runner_, reference_, file_, work_);
    ASSERT_TRUE(stage.Start(2));
  }
  EXPECT_EQ(reference_.timed.size(), 2u);
  EXPECT_TRUE(runner_.references.empty());
}

TEST_F(ReferenceStageTest, AReferenceThatFailsIsThePersonsToMend) {
  reference_.run = {Outcome::kRuntime, "ref: ValueError: no", 0, 0, ""};
  const auto bar = SetUp(2);
  ASSERT_FALSE(bar);
  EXPECT_EQ(bar.error().kind, ErrorKind::kUsage);
  EXPECT_NE(bar.error().message.find("the reference ref failed: ref: ValueError: no"),
            std::string::npos);
  EXPECT_TRUE(runner_.references.empty());
}

}  // namespace
}  // namespace croq::tune
