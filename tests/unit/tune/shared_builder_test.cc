#include "croq/tune/shared_builder.h"

#include <gtest/gtest.h>

#include "croq/base/files.h"
#include "support/fake_builder.h"
#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

using std::chrono::milliseconds;

class SharedBuilderTest : public ::testing::Test {
 protected:
  SharedBuilderTest() { Must(WriteFileAtomic(Source("a"), "text")); }

  std::filesystem::path Source(const std::string& name) const {
    return folder_.path() / (name + ".py");
  }

  CompileJob Job(std::int64_t value, const std::string& source = "a") const {
    CompileJob job;
    job.source_path = Source(source).string();
    job.kernel = "reduce";
    job.parameters = {{"SPLIT_K", "constexpr", false,
                       {ConstexprValue::Kind::kInt, value, 0, ""}}};
    job.options = {{"num_warps", 4}};
    return job;
  }

  BuildResult Take() {
    const std::optional<BuildResult> result = Must(shared_.Next(milliseconds(0)));
    EXPECT_TRUE(result.has_value());
    return result.value_or(BuildResult{});
  }

  journal::TempFolder folder_;
  FakeBuilder builder_{folder_.path() / "cubins"};
  SharedBuilder shared_{builder_};
};

TEST_F(SharedBuilderTest, CompilesEqualJobsOnceWhileTheyAreUnderWay) {
  Must(shared_.Submit(1, Job(2)));
  Must(shared_.Submit(2, Job(2)));
  Must(shared_.Submit(3, Job(4)));
  EXPECT_EQ(builder_.submitted.size(), 2U);
  EXPECT_EQ(shared_.Pending(), 3);
  const BuildResult first = Take();
  const BuildResult second = Take();
  EXPECT_EQ(first.ticket, 1);
  EXPECT_EQ(first.compile_ms, 100);
  EXPECT_EQ(second.ticket, 2);
  EXPECT_EQ(second.compile_ms, 0);
  EXPECT_EQ(second.kernel.cubin_path, first.kernel.cubin_path);
  EXPECT_EQ(Take().ticket, 3);
  EXPECT_EQ(shared_.Pending(), 0);
  EXPECT_EQ(shared_.Shared(), 1);
  EXPECT_FALSE(Must(shared_.Next(milliseconds(0))));
}

TEST_F(SharedBuilderTest, AnswersFromWhatWasBuiltWhileTheCubinIsThere) {
  Must(shared_.Submit(1, Job(2)));
  const BuildResult built = Take();
  Must(shared_.Submit(2, Job(2)));
  EXPECT_EQ(Take().ticket, 2);
  EXPECT_EQ(builder_.submitted.size(), 1U);
  std::filesystem::remove(built.kernel.cubin_path);
  Must(shared_.Submit(3, Job(2)));
  EXPECT_EQ(Take().ticket, 3);
  EXPECT_EQ(builder_.submitted.size(), 2U);
}

TEST_F(SharedBuilderTest, GoesByTheSourcesBytes) {
  Must(WriteFileAtomic(Source("same"), "text"));
  Must(WriteFileAtomic(Source("other"), "another text"));
  Must(shared_.Submit(1, Job(2)));
  Must(shared_.Submit(2, Job(2, "same")));
  Must(shared_.Submit(3, Job(2, "other")));
  EXPECT_EQ(builder_.submitted.size(), 2U);
}

TEST_F(SharedBuilderTest, TriesAFailedJobAnewButGivesItToThoseThatWaited) {
  builder_.shape = [](const CompileJob&, BuildResult& result) {
    result.outcome = Outcome::kCompile;
    result.reason = "ptxas";
  };
  Must(shared_.Submit(1, Job(2)));
  Must(shared_.Submit(2, Job(2)));
  EXPECT_EQ(Take().reason, "ptxas");
  EXPECT_EQ(Take().reason, "ptxas");
  builder_.shape = nullptr;
  Must(shared_.Submit(3, Job(2)));
  EXPECT_EQ(Take().outcome, Outcome::kCorrect);
}

TEST_F(SharedBuilderTest, ForgetsTheOldestJobs) {
  const auto limit = static_cast<std::int64_t>(SharedBuilder::kGeneration);
  for (std::int64_t i = 0; i < 2 * limit + 1; ++i) {
    Must(shared_.Submit(i, Job(i)));
    Take();
  }
  Must(shared_.Submit(-1, Job(0)));
  Take();
  EXPECT_EQ(shared_.Shared(), 0);
  Must(shared_.Submit(-2, Job(limit)));
  Take();
  EXPECT_EQ(shared_.Shared(), 1);
}

}  // namespace
}  // namespace croq::tune
