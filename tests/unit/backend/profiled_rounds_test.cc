#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "croq/backend/replay_profiler.h"
#include "croq/backend/script_host.h"
#include "croq/process/siblings.h"
#include "croq/tune/round_loop.h"
#include "support/processes.h"
#include "support/space_factory.h"
#include "unit/tune/tune_fixture.h"

/// Rounds on stand-ins for what a GPU does, their profiles through ncu's own scripts and
/// tests/support/fake_ncu.sh.
namespace croq::backend {
namespace {

using croq::testing::SpaceFactory;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr double kTestDeadline = 60;

/// The profiler with a deadline of the test's.
class Impatient : public tune::ProfileSource {
 public:
  Impatient(ReplayProfiler& source, double seconds) : source_(source), seconds_(seconds) {}

  Result<profile::KernelProfile> Profile(const tune::Candidate& candidate,
                                         const tune::ProfileWish& wish) override {
    tune::ProfileWish shorter = wish;
    shorter.deadline_seconds = std::min(seconds_, wish.deadline_seconds);
    return source_.Profile(candidate, shorter);
  }

 private:
  ReplayProfiler& source_;
  double seconds_;
};

class ProfiledRoundsTest : public tune::TuneTest {
 protected:
  ProfiledRoundsTest() {
    StoreBaseline();
    const fs::path bin = folder_.path() / "bin";
    fs::create_directories(bin);
    fs::create_symlink(Source("tests/support/fake_ncu.sh"), bin / "ncu");
    host_.supervisor = process::FindSibling("croq-supervisor").value();
    host_.directory = folder_.path();
    host_.environment = process::CurrentEnvironment();
    host_.environment["FAKE_NCU_ASKED"] = "1";
    host_.environment["FAKE_NCU_RAW"] = Source("tests/golden/ncu/mm_raw_base.csv");
    host_.environment["FAKE_NCU_DETAILS"] = Source("tests/golden/ncu/mm_details_base.csv");
    replay_.runner = "/bin/true";
    replay_.folder = paths_.Work() / "profile";
    replay_.prepare.shape = shape_;
    replay_.path_folders = {bin};
    replay_.session = paths_;
    const Config first = SpaceFactory::ConfigOf("tiled", 64, 3, 4);
    strategy_->proposals = {first};
    evaluator_->times[first.Text()] = 1.0;
    const Config better = SpaceFactory::ConfigOf("persistent", 64, 3, 4);
    evaluator_->times[better.Text()] = 0.9;
  }

  static std::string Source(const char* path) {
    return (fs::path(CROQ_SOURCE_DIR) / path).string();
  }

  tune::RunSummary Run(double deadline = kTestDeadline) {
    SupervisedScriptHost host(host_);
    NcuProfiler profiler(host, tune::TritonContract());
    ReplayProfiler replay(replay_, profiler, tune::TritonContract());
    Impatient source(replay, deadline);
    tune::IdeaSettings settings;
    settings.counters = &source;
    tune::Session session = MakeSession();
    tune::Session ours{session.shape,   session.device,  session.paths,   session.contract,
                       session.script_path_folders,      space_factory_,  session.journal,
                       session.builder, session.evaluator, session.scripts, session.rules,
                       session.strategy, session.observer, session.interrupted,
                       session.baseline_ms, &settings};
    tune::RoundLoop loop(ours, WorkFolder());
    tune::Must(loop.Restore());
    return tune::Must(loop.Run({4, 0, 0}, 0, 0));
  }

  /// The session went on to its end with static profiles, and said why.
  void ExpectStatic(const std::string& why) {
    const tune::RunSummary summary = Run(why == "in 1 s" ? 1 : kTestDeadline);
    EXPECT_EQ(summary.ended_by, "rounds");
    EXPECT_EQ(observer_->Of("idea").size(), 3U);
    EXPECT_THAT(observer_->Messages("warning"),
                HasSubstr("no counters, so this profile is static"));
    for (const nlohmann::json& event : observer_->Of("profile")) {
      EXPECT_EQ(event.at("static"), true);
      EXPECT_FALSE(event.at("reason").get<std::string>().empty());
    }
    EXPECT_EQ(tune::Must(journal_->read().Ideas()).size(), 4U);
    int refused = 0;
    for (const nlohmann::json& one : observer_->Of("warning"))
      refused += one.at("message").get<std::string>().starts_with("no counters") ? 1 : 0;
    EXPECT_EQ(refused, 2) << "it is given up after two failures in a row";
  }

  SpaceFactory space_factory_;
  ScriptHostOptions host_;
  ReplayOptions replay_;
};

TEST_F(ProfiledRoundsTest, EachRoundReadsTheCountersOfItsCandidatesKernel) {
  Run();
  const auto profiles = observer_->Of("profile");
  ASSERT_EQ(profiles.size(), 4U);
  for (const nlohmann::json& event : profiles) {
    EXPECT_EQ(event.at("static"), false);
    EXPECT_EQ(event.at("kernel"), event.at("candidate"));
    EXPECT_EQ(event.at("bottleneck"), "compute_bound");
  }
  for (const Iteration& one : StoredIterations()) {
    if (one.number == 0) continue;
    EXPECT_EQ(one.bottleneck, "compute_bound");
    const std::string csv = ReadFile(paths_.ProfileCsv(one.number)).value_or("");
    EXPECT_THAT(csv, HasSubstr(one.tag)) << "the candidate's kernel has its tag for a name";
    EXPECT_TRUE(fs::exists(paths_.ProfileReport(one.number)));
    EXPECT_TRUE(fs::exists(paths_.ProfileDetails(one.number)));
  }
  EXPECT_TRUE(observer_->Of("rules").back().at("broken").empty());
}

TEST_F(ProfiledRoundsTest, GoesOnWithoutPermission) {
  host_.environment["FAKE_NCU"] = "permission";
  ExpectStatic("CAP_SYS_ADMIN");
  EXPECT_THAT(observer_->Messages("warning"), HasSubstr("CAP_SYS_ADMIN"));
}

TEST_F(ProfiledRoundsTest, GoesOnWithoutAProfiler) {
  replay_.path_folders.clear();
  host_.environment["PATH"] = "/usr/bin:/bin";
  ExpectStatic("no ncu");
  EXPECT_THAT(observer_->Messages("warning"), HasSubstr("there is no ncu on PATH"));
}

TEST_F(ProfiledRoundsTest, GoesOnWhereTheProfilerHangs) {
  host_.environment["FAKE_NCU"] = "hang";
  ExpectStatic("in 1 s");
  EXPECT_THAT(observer_->Messages("warning"), HasSubstr("1 s"));
}

TEST_F(ProfiledRoundsTest, GoesOnWhereAnotherKernelWasProfiled) {
  host_.environment.erase("FAKE_NCU_ASKED");
  ExpectStatic("croq_mm");
  EXPECT_THAT(observer_->Messages("warning"), HasSubstr("croq_mm instead of "));
}

TEST_F(ProfiledRoundsTest, GoesOnWhereNothingWasProfiled) {
  host_.environment["FAKE_NCU"] = "no_kernels";
  ExpectStatic("no kernel");
  EXPECT_THAT(observer_->Messages("warning"), HasSubstr("ncu profiled no kernel"));
}

}  // namespace
}  // namespace croq::backend
