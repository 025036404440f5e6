// SIGKILL at random moments: nothing that the writer was told is committed may be missing, and
// nothing may exist twice. This proves death of the process, not loss of power.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "crash/journal_session.h"
#include "croq/base/files.h"
#include "croq/journal/journal.h"
#include "croq/journal/reader.h"
#include "croq/journal/views.h"

namespace croq::journal {
namespace {

namespace fs = std::filesystem;

constexpr int kKills = 50;
constexpr int kLongestMillis = 120;

class JournalCrashTest : public testing::Test {
 protected:
  void SetUp() override {
    // In memory where there is such a disk, so that a kill meets many more commits.
    std::error_code ignored;
    const fs::path base =
        fs::is_directory("/dev/shm", ignored) ? fs::path("/dev/shm") : fs::temp_directory_path();
    std::string name = (base / "croq-crash-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    out_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(out_, ignored);
  }

  /// Runs the writer, kills it after `millis` and keeps the highest number of each kind that it
  /// acknowledged.
  void WriteAndKill(int millis, unsigned seed) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe2(pipe_ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    std::string program = CROQ_JOURNAL_WRITER;
    std::string out = out_.string();
    std::string seed_text = std::to_string(seed);
    char* argv[] = {program.data(), out.data(), seed_text.data(), nullptr};
    pid_t pid = -1;
    const int code = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, argv, environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(pipe_ends[1]);
    ASSERT_EQ(code, 0);
    std::thread killer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(millis));
      ::kill(pid, SIGKILL);
    });
    ReadAcknowledged(pipe_ends[0]);
    killer.join();
    int status = 0;
    ::waitpid(pid, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the writer failed itself";
  }

  void ReadAcknowledged(int fd) {
    std::string text;
    std::array<char, 65536> part{};
    for (ssize_t size = 0; (size = ::read(fd, part.data(), part.size())) > 0;) {
      text.append(part.data(), static_cast<std::size_t>(size));
    }
    ::close(fd);
    std::istringstream lines(text);
    std::string what;
    for (std::int64_t number = 0; lines >> what >> number;) {
      acknowledged_[what] = std::max(acknowledged_[what], number);
    }
  }

  void ExpectSound() {
    const auto opened = Journal::Open(CrashSessionPaths(out_), CrashSessionInfo());
    ASSERT_TRUE(opened) << opened.error().message;
    const Journal& journal = **opened;
    ExpectIntegrity(journal);
    ExpectTrials(journal.read());
    ExpectNumbers(journal.read());
    ExpectViews(journal);
    ExpectFiles(journal);
  }

  void ExpectIntegrity(const Journal& journal) {
    const auto database = Database::Open(journal.paths().Journal(), Database::Mode::kReadOnly);
    EXPECT_EQ(database->QueryText("PRAGMA integrity_check"), "ok");
    EXPECT_EQ(database->QueryText("PRAGMA foreign_key_check"), "");
  }

  void ExpectTrials(const Queries& read) {
    const auto trials = read.Trials(1'000'000);
    ASSERT_TRUE(trials) << trials.error().message;
    for (std::size_t i = 0; i < trials->size(); ++i) {
      ASSERT_EQ(trials->at(i).id, static_cast<std::int64_t>(i + 1));
    }
    EXPECT_GE(static_cast<std::int64_t>(trials->size()), acknowledged_["trial"]);
  }

  void ExpectNumbers(const Queries& read) {
    const auto iterations = read.Iterations();
    ASSERT_TRUE(iterations) << iterations.error().message;
    for (std::size_t i = 0; i < iterations->size(); ++i) {
      ASSERT_EQ(iterations->at(i).number, static_cast<int>(i));
    }
    if (acknowledged_.count("iteration") > 0) {
      EXPECT_GT(static_cast<std::int64_t>(iterations->size()), acknowledged_["iteration"]);
    }
    const auto attempts = read.Attempts();
    ASSERT_TRUE(attempts) << attempts.error().message;
    for (std::size_t i = 0; i < attempts->size(); ++i) {
      ASSERT_EQ(attempts->at(i).number, static_cast<int>(i + 1));
    }
    EXPECT_GE(static_cast<std::int64_t>(attempts->size()), acknowledged_["attempt"]);
    EXPECT_EQ(read.Ideas()->size(), iterations->size() + attempts->size());
    const auto open = read.Open();
    if (open->has_value()) {
      EXPECT_EQ((*open)->number, static_cast<int>(iterations->size()));
    }
  }

  void ExpectViews(const Journal& journal) {
    const Queries& read = journal.read();
    const Views views = RenderViews(*read.Iterations(), *read.Ideas(), *read.Attempts());
    const fs::path logs = journal.paths().Logs();
    EXPECT_EQ(ReadFile(logs / "results.tsv").value_or(""), views.results);
    EXPECT_EQ(ReadFile(logs / "idea-log.jsonl").value_or(""), views.ideas);
    EXPECT_EQ(ReadFile(logs / "attempt-log.jsonl").value_or(""), views.attempts);
  }

  /// Sources and journal agree: one file a committed row, and at most the open one beside them.
  void ExpectFiles(const Journal& journal) {
    std::set<std::string> wanted;
    const auto iterations = journal.read().Iterations();
    const auto attempts = journal.read().Attempts();
    for (const Iteration& one : *iterations) wanted.insert(one.Name() + ".py");
    for (const Attempt& one : *attempts) {
      wanted.insert(one.Name() + ".py");
      EXPECT_TRUE(fs::exists(one.log)) << one.log;
    }
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(journal.paths().Sources())) {
      found.insert(entry.path().filename().string());
    }
    const auto open = journal.read().Open();
    if (open->has_value()) {
      const std::string name = IterationName((*open)->number) + "_" + (*open)->tag + ".py";
      EXPECT_EQ(wanted.count(name), 0U);
      found.erase(name);
    }
    EXPECT_EQ(found, wanted);
  }

  fs::path out_;
  std::map<std::string, std::int64_t> acknowledged_;
};

TEST_F(JournalCrashTest, LosesAndDoublesNothing) {
  const char* wanted = std::getenv("CROQ_CRASH_SEED");
  const unsigned seed = wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted))
                                          : std::random_device()();
  SCOPED_TRACE("CROQ_CRASH_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  for (int kill = 0; kill < kKills; ++kill) {
    SCOPED_TRACE("kill " + std::to_string(kill));
    // Some kills meet the making of the session, the others one that grows.
    if (kill == 10) acknowledged_.clear();
    if (kill <= 10) fs::remove_all(out_ / "tuning");
    if (kill < 10) acknowledged_.clear();
    const int millis = static_cast<int>(random() % (kill < 10 ? 20 : kLongestMillis));
    WriteAndKill(millis, random());
    if (HasFatalFailure()) return;
    if (!fs::exists(CrashSessionPaths(out_).Logs())) continue;  // killed before its first step
    ASSERT_TRUE(MakeDirectories(CrashSessionPaths(out_).Sources()));
    ExpectSound();
    if (HasFailure()) return;
  }
  std::printf("survived %d kills: %lld trials, %lld iterations, %lld attempts acknowledged\n",
              kKills, static_cast<long long>(acknowledged_["trial"]),
              static_cast<long long>(acknowledged_["iteration"]),
              static_cast<long long>(acknowledged_["attempt"]));
  EXPECT_GT(acknowledged_["trial"], 0) << "the writer never got to write";
}

}  // namespace
}  // namespace croq::journal
