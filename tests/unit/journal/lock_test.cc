#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "unit/journal/journal_fixture.h"

namespace croq::journal {
namespace {

using ::testing::HasSubstr;

/// A process that opens the session, says so, and holds it until it is killed.
class Holder {
 public:
  explicit Holder(const SessionPaths& paths, const SessionInfo& info) {
    int ready[2];
    if (::pipe2(ready, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto journal = Journal::Open(paths, info);
      const char answer = journal ? 'y' : 'n';
      if (::write(ready[1], &answer, 1) != 1) ::_exit(1);
      while (true) ::pause();
    }
    ::close(ready[1]);
    char answer = 'n';
    held_ = ::read(ready[0], &answer, 1) == 1 && answer == 'y';
    ::close(ready[0]);
  }
  ~Holder() { Kill(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  void Kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  bool held() const { return held_; }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  bool held_ = false;
};

TEST_F(JournalTest, ASecondProcessIsToldWhoHoldsTheSession) {
  Holder holder(paths(), info_);
  ASSERT_TRUE(holder.held());
  const auto opened = Journal::Open(paths(), info_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(opened.error().message, HasSubstr("pid " + std::to_string(holder.pid())));
  EXPECT_THAT(opened.error().message, testing::ContainsRegex("since 20[0-9][0-9]-"));
  holder.Kill();
  Open();  // a dead holder holds nothing
}

TEST_F(JournalTest, TheSameProcessCannotOpenASessionTwice) {
  Open();
  EXPECT_FALSE(Journal::Open(paths(), info_));
}

TEST_F(JournalTest, OtherSessionsAreFree) {
  Open();
  SessionInfo other = info_;
  other.model = "agent";
  EXPECT_TRUE(Journal::Open(PathsOf(folder_.path(), other), other));
}

TEST_F(JournalTest, AChildProgramDoesNotKeepTheLock) {
  Open();
  char name[] = "sleep";
  char seconds[] = "100";
  char* argv[] = {name, seconds, nullptr};
  pid_t child = -1;
  ASSERT_EQ(::posix_spawnp(&child, "sleep", nullptr, nullptr, argv, environ), 0);
  journal_.reset();
  auto opened = Journal::Open(paths(), info_);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(opened) << opened.error().message;
}

}  // namespace
}  // namespace croq::journal
