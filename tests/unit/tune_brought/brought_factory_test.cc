#include "croq/tune/brought/brought_factory.h"

#include <functional>

#include "croq/base/files.h"
#include "croq/model/iteration.h"
#include "unit/tune_brought/helpers.h"

namespace croq::tune {
namespace {

/// One launch of one kernel, unless a test says otherwise.
class FakeCapture : public HostCapture {
 public:
  Result<Captured> Capture(const std::filesystem::path& source, const ShapeKey&,
                           const Problem* problem) override {
    sources.push_back(source);
    problems.push_back(problem);
    return Make(source);
  }

  std::shared_future<Result<Captured>> Start(const std::filesystem::path& source,
                                             const ShapeKey& shape,
                                             const Problem* problem) override {
    if (!in_background) return HostCapture::Start(source, shape, problem);
    sources.push_back(source);
    pending.emplace_back();
    return pending.back().get_future().share();
  }
  int Room() const override { return 2; }

  Captured Make(const std::filesystem::path& source) const {
    if (fails) return Captured{Outcome::kRuntime, "torch.nonzero is not known", {}, {}};
    Captured captured;
    CompileJob job;
    job.source_path = source.string();
    job.kernel = "kernel";
    captured.jobs = {job};
    captured.plan.buffers = {{"x", 64, false}, {"y", 64, false}};
    captured.plan.steps = {LaunchStep{}};
    return captured;
  }

  bool fails = false;
  bool in_background = false;
  std::vector<std::promise<Result<Captured>>> pending;
  std::vector<std::filesystem::path> sources;
  std::vector<const Problem*> problems;
};

class BroughtFactoryTest : public ::testing::Test {
 protected:
  BroughtFactory& Open(const std::string& text, const BroughtOptions& options = {}) {
    const std::filesystem::path folder = TestFolder() / "brought";
    EXPECT_TRUE(MakeDirectories(folder));
    EXPECT_TRUE(WriteFile(folder / "mine.py", text));
    file_ = ReadBroughtFile(folder / "mine.py", reader_, BroughtContract(), options).value();
    factory_ = std::make_unique<BroughtFactory>(BroughtFactory::Parts{
        file_, reader_, capture_, BroughtContract(),
        operators::TemplateSet::Load(std::filesystem::path(CROQ_SOURCE_DIR) /
                                     "python/operators/brought").value(),
        folder / "configs", nullptr});
    return *factory_;
  }

  Config With(const std::string& lever, LeverValue value) const {
    Config config = file_.first;
    config.values[lever] = std::move(value);
    return config;
  }

  FakeTreeReader reader_;
  FakeCapture capture_;
  BroughtFile file_;
  std::unique_ptr<BroughtFactory> factory_;
};

TEST_F(BroughtFactoryTest, PinsWritesAndCapturesOnce) {
  BroughtFactory& factory = Open(Softmax());
  const Config config = With("BLOCK", std::int64_t{128});
  const operators::Made made = factory.Make(config).value();
  ASSERT_EQ(made.outcome, Outcome::kCorrect) << made.reason;
  EXPECT_EQ(made.script.source.find("@triton.autotune"), std::string::npos);
  EXPECT_NE(made.script.source.find("BLOCK=128"), std::string::npos);
  EXPECT_NE(made.script.source.find("def verify()"), std::string::npos);
  EXPECT_EQ(ReadFile(made.source).value(), made.script.source);
  EXPECT_TRUE(IsValidTag(made.script.tag)) << made.script.tag;
  EXPECT_EQ(capture_.problems.at(0), &*file_.problem);
  EXPECT_EQ(factory.Jobs(config, made.source).at(0).source_path, made.source.string());
  EXPECT_EQ(factory.Plan(config, {CompiledKernel{}}).kernels.size(), 1u);
  EXPECT_EQ(factory.Make(config).value().source, made.source);
  EXPECT_EQ(capture_.sources.size(), 1u);
  EXPECT_NE(factory.Make(file_.first).value().source, made.source);
}

TEST_F(BroughtFactoryTest, CapturesInTheBackground) {
  BroughtFactory& factory = Open(Softmax());
  capture_.in_background = true;
  const Config other = With("BLOCK", std::int64_t{128});
  ASSERT_TRUE(factory.Begin(file_.first));
  ASSERT_TRUE(factory.Begin(other));
  ASSERT_TRUE(factory.Begin(other));
  EXPECT_EQ(capture_.sources.size(), 2u);
  EXPECT_EQ(factory.Room(), 2);
  EXPECT_FALSE(factory.IsReady(other));
  capture_.pending[1].set_value(capture_.Make(capture_.sources[1]));
  EXPECT_TRUE(factory.IsReady(other));
  EXPECT_FALSE(factory.IsReady(file_.first));
  EXPECT_EQ(factory.Make(other).value().source, capture_.sources[1]);
  EXPECT_EQ(factory.Jobs(other, "x.py").size(), 1u);
  capture_.pending[0].set_value(Failure("the capture worker does not start"));
  EXPECT_TRUE(factory.IsReady(file_.first));
  EXPECT_FALSE(factory.Make(file_.first));
}

TEST_F(BroughtFactoryTest, ReplacesConstantsWhereTheyStand) {
  BroughtFactory& factory = Open(Softmax("triton.Config({'BLOCK': 64})", ", 'levers': {'PARTS': [2]}"));
  const std::string source = factory.Render(With("PARTS", std::int64_t{2})).value().source;
  EXPECT_NE(source.find("\nPARTS = 2\n"), std::string::npos);
  EXPECT_EQ(source.find("\nPARTS = 4\n"), std::string::npos);
}

TEST_F(BroughtFactoryTest, WhatFailsIsTheConfigurationsOutcome) {
  BroughtFactory& factory = Open(Softmax());
  capture_.fails = true;
  const operators::Made refused = factory.Make(file_.first).value();
  EXPECT_EQ(refused.outcome, Outcome::kRuntime);
  EXPECT_EQ(refused.reason, "torch.nonzero is not known");
  Config other = file_.first;
  other.variant = "softmax_00000000";
  EXPECT_EQ(factory.Make(other).value().outcome, Outcome::kConstraints);
}

TEST_F(BroughtFactoryTest, TheRuleIsJudgedBeforeAnythingRuns) {
  std::string file = Softmax();
  file.replace(file.rfind("return y"), 8, "return torch.softmax(x, -1)");
  const operators::Made made = Open(file).Make(file_.first).value();
  EXPECT_EQ(made.outcome, Outcome::kRule);
  EXPECT_NE(made.reason.find(" at line "), std::string::npos) << made.reason;
  EXPECT_TRUE(capture_.sources.empty());
}

TEST_F(BroughtFactoryTest, TheBaselineIsTheReference) {
  const operators::Script script = Open(Softmax()).BaselineScript().value();
  EXPECT_EQ(script.tag, "torch_reference");
  EXPECT_NE(script.source.find("given = ref(**"), std::string::npos);
}

TEST_F(BroughtFactoryTest, ExportsItsConfiguration) {
  EXPECT_EQ(Open(Softmax()).TritonConfig(file_.first),
            "triton.Config({\"BLOCK\": 64, \"FAST\": True}, num_stages=3, num_warps=4)");
}

TEST(BroughtTag, IsValidForEveryOperator) {
  for (const char* word : {"f", "rms_norm_resi_dual", "a_very_long_operator_word_of_many_parts"}) {
    const ShapeKey shape = MakeBroughtKey(word, DType::kF32, {{"M", 1}}).value();
    const Config config{"f_12345678", {{"num_warps", std::int64_t{16}}, {"num_stages", std::int64_t{7}}}};
    EXPECT_TRUE(IsValidTag(BroughtTag(shape, config))) << BroughtTag(shape, config);
    EXPECT_NE(BroughtTag(shape, config), BroughtTag(shape, {"f_12345679", config.values}));
  }
}

}  // namespace
}  // namespace croq::tune
