#include "croq/process/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "croq/process/pipe.h"

namespace croq::process {
namespace {

constexpr int kChildRequests = 3;
constexpr int kChildReplies = 4;

/// posix_spawn's two attribute objects, destroyed together.
class Actions {
 public:
  Actions() {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }

  /// A group of its own, default signal handling and nothing blocked: a child must not inherit what
  /// this process arranged for itself.
  void IsolateSignals() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  void Place(const Fd& source, int target) {
    posix_spawn_file_actions_adddup2(&files_, source.get(), target);
  }
  void CloseFrom(int first) { posix_spawn_file_actions_addclosefrom_np(&files_, first); }
  void ChangeDirectory(const std::filesystem::path& directory) {
    posix_spawn_file_actions_addchdir_np(&files_, directory.c_str());
  }

  int Run(pid_t* pid, const std::string& program, char* const* argv, char* const* environment) {
    return posix_spawn(pid, program.c_str(), &files_, &attributes_, argv, environment);
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> SupervisorCommand(const Supervision& supervision, int lifeline) {
  std::error_code ignored;
  std::vector<std::string> argv{std::filesystem::absolute(supervision.supervisor, ignored).string(),
                                "--lifeline-fd", std::to_string(lifeline)};
  const auto add = [&argv](const char* option, std::int64_t value) {
    if (value <= 0)
      return;
    argv.emplace_back(option);
    argv.push_back(std::to_string(value));
  };
  add("--memory-bytes", supervision.limits.memory_bytes);
  add("--cpu-seconds", supervision.limits.cpu_seconds);
  add("--file-bytes", supervision.limits.file_bytes);
  argv.emplace_back("--");
  return argv;
}

/// The child's ends, kept open until it has them.
struct ChildEnds {
  Fd input;
  Fd output;
  Fd request;
  Fd reply;
  Fd lifeline;
};

Result<Fd> OpenFile(const std::filesystem::path& path, int flags) {
  const int low = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
  Fd owner(low);
  Fd high(low < 0 ? -1 : ::fcntl(low, F_DUPFD_CLOEXEC, 10));
  if (!high) {
    return Failure(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  }
  return high;
}

Status OpenOutput(const SpawnOptions& options, SpawnedChild& child, ChildEnds& ends) {
  switch (options.output) {
    case SpawnOptions::Output::kNull: {
      CROQ_ASSIGN(ends.output, OpenFile("/dev/null", O_WRONLY));
      return {};
    }
    case SpawnOptions::Output::kFile: {
      CROQ_ASSIGN(ends.output, OpenFile(options.log_path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND));
      return {};
    }
    case SpawnOptions::Output::kPipe: {
      CROQ_ASSIGN(Pipe pipe, MakePipe());
      CROQ_TRY(SetNonBlocking(pipe.read));
      child.output = std::move(pipe.read);
      ends.output = std::move(pipe.write);
      return {};
    }
  }
  return {};
}

Status OpenPipes(const SpawnOptions& options, SpawnedChild& child, ChildEnds& ends) {
  CROQ_ASSIGN(ends.input, OpenFile("/dev/null", O_RDONLY));
  CROQ_TRY(OpenOutput(options, child, ends));
  if (options.request_pipes) {
    CROQ_ASSIGN(Pipe requests, MakePipe());
    CROQ_ASSIGN(Pipe replies, MakePipe());
    CROQ_TRY(SetNonBlocking(requests.write));
    CROQ_TRY(SetNonBlocking(replies.read));
    ends.request = std::move(requests.read);
    child.request = std::move(requests.write);
    child.reply = std::move(replies.read);
    ends.reply = std::move(replies.write);
  }
  if (options.supervision) {
    CROQ_ASSIGN(Pipe lifeline, MakePipe());
    ends.lifeline = std::move(lifeline.read);
    child.lifeline = std::move(lifeline.write);
  }
  return {};
}

}  // namespace

Result<SpawnedChild> SpawnChild(const SpawnOptions& options) {
  if (options.argv.empty())
    return Failure("cannot start a program: no command was given");
  SpawnedChild child;
  ChildEnds ends;
  CROQ_TRY(OpenPipes(options, child, ends));

  Actions actions;
  actions.IsolateSignals();
  actions.Place(ends.input, STDIN_FILENO);
  actions.Place(ends.output, STDOUT_FILENO);
  actions.Place(ends.output, STDERR_FILENO);
  int next = STDERR_FILENO + 1;
  if (options.request_pipes) {
    actions.Place(ends.request, kChildRequests);
    actions.Place(ends.reply, kChildReplies);
    next = kChildReplies + 1;
  }
  std::vector<std::string> argv;
  if (options.supervision) {
    argv = SupervisorCommand(*options.supervision, next);
    actions.Place(ends.lifeline, next);
    ++next;
  }
  // Also what this process inherited without close-on-exec from whoever started it.
  actions.CloseFrom(next);
  if (!options.directory.empty())
    actions.ChangeDirectory(options.directory);

  argv.insert(argv.end(), options.argv.begin(), options.argv.end());
  std::vector<std::string> environment = ToStrings(options.environment);
  const std::vector<char*> argv_pointers = Pointers(argv);
  const std::vector<char*> environment_pointers = Pointers(environment);
  const int code =
      actions.Run(&child.pid, argv[0], argv_pointers.data(), environment_pointers.data());
  if (code != 0) {
    return Failure(fmt::format("cannot start {}{}: {}", argv[0],
                               options.directory.empty()
                                   ? std::string()
                                   : fmt::format(" in {}", options.directory.string()),
                               std::strerror(code)));
  }
  return child;
}

}  // namespace croq::process
