#include "support/runner_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "croq/protocol/frame.h"

extern char** environ;

namespace croq::testing {
namespace {

constexpr int kReadFd = 3;
constexpr int kWriteFd = 4;

/// The test's environment with `changes` put over it.
std::vector<std::string> EnvironmentWith(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('='))))
      entries.push_back(text);
  }
  for (const auto& [name, value] : changes) entries.push_back(name + "=" + value);
  return entries;
}

}  // namespace

RunnerProcess::RunnerProcess(const std::map<std::string, std::string>& environment) {
  int to_child[2];
  int from_child[2];
  EXPECT_EQ(::pipe2(to_child, O_CLOEXEC), 0);
  EXPECT_EQ(::pipe2(from_child, O_CLOEXEC), 0);
  // Away from 3 and 4, where the child wants them.
  const Fd child_read(::fcntl(to_child[0], F_DUPFD_CLOEXEC, 10));
  const Fd child_write(::fcntl(from_child[1], F_DUPFD_CLOEXEC, 10));
  requests_ = Fd(::fcntl(to_child[1], F_DUPFD_CLOEXEC, 10));
  replies_ = Fd(::fcntl(from_child[0], F_DUPFD_CLOEXEC, 10));
  for (const int fd : {to_child[0], to_child[1], from_child[0], from_child[1]}) ::close(fd);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, child_read.get(), kReadFd);
  ::posix_spawn_file_actions_adddup2(&actions, child_write.get(), kWriteFd);
  std::vector<std::string> entries = EnvironmentWith(environment);
  std::vector<char*> pointers;
  for (std::string& entry : entries) pointers.push_back(entry.data());
  pointers.push_back(nullptr);
  const char* chosen = std::getenv("CROQ_RUNNER");
  std::string path = chosen != nullptr ? chosen : std::string(CROQ_BINARY_DIR) + "/croq-runner";
  std::string arguments[] = {path, "--read-fd", std::to_string(kReadFd), "--write-fd",
                             std::to_string(kWriteFd)};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  EXPECT_EQ(::posix_spawn(&pid_, path.c_str(), &actions, nullptr, argv.data(), pointers.data()), 0)
      << path;
  ::posix_spawn_file_actions_destroy(&actions);
}

RunnerProcess::~RunnerProcess() {
  if (pid_ <= 0)
    return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::optional<nlohmann::json> RunnerProcess::Receive() {
  auto message = protocol::ReadMessage(replies_.get());
  if (!message) {
    ADD_FAILURE() << message.error().message;
    return std::nullopt;
  }
  return *message;
}

void RunnerProcess::Send(const nlohmann::json& message) {
  const auto sent = protocol::WriteMessage(requests_.get(), message);
  EXPECT_TRUE(sent) << sent.error().message;
}

void RunnerProcess::SendBytes(const std::string& bytes) {
  EXPECT_EQ(::write(requests_.get(), bytes.data(), bytes.size()),
            static_cast<ssize_t>(bytes.size()));
}

std::optional<nlohmann::json> RunnerProcess::Ask(const nlohmann::json& message) {
  Send(message);
  return Receive();
}

int RunnerProcess::Wait() {
  int status = 0;
  EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace croq::testing
