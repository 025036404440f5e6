#include "croq_runner/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "croq/protocol/frame.h"
#include "croq_runner/answer.h"
#include "croq_runner/dispatch.h"
#include "croq_runner/watchdog.h"

namespace croq::runner {
namespace {

using nlohmann::json;

/// Replies from the serving thread or, past a deadline, from the watchdog's; never both.
class Replies {
 public:
  explicit Replies(int fd) : fd_(fd) {}

  void Expect(json timeout_reply) {
    const std::lock_guard lock(mutex_);
    timeout_reply_ = std::move(timeout_reply);
  }

  bool Send(const json& message) {
    const std::lock_guard lock(mutex_);
    const Status sent = protocol::WriteMessage(fd_, message);
    if (!sent)
      fmt::print(stderr, "croq-runner: {}\n", sent.error().message);
    return sent.has_value();
  }

  /// From the watchdog: keeps the lock, so that nothing is sent after it.
  [[noreturn]] void GiveUp() {
    mutex_.lock();
    const Status sent = protocol::WriteMessage(fd_, timeout_reply_);
    fmt::print(stderr, "croq-runner: the driver did not return in time{}\n",
               sent ? "" : ", and the engine is gone");
    std::fflush(stderr);
    ::_exit(kExitHung);
  }

 private:
  int fd_;
  std::mutex mutex_;
  json timeout_reply_;
};

}  // namespace

int Serve(int read_fd, int write_fd) {
  Replies replies(write_fd);
  Watchdog watchdog([&replies] { replies.GiveUp(); });
  auto driver = Driver::Open();
  const std::string problem = driver ? "" : driver.error().message;
  Dispatcher dispatcher(driver ? std::move(*driver) : nullptr, problem, &watchdog);
  if (!replies.Send(Encode(dispatcher.Hello())))
    return 1;
  while (true) {
    const auto message = protocol::ReadMessage(read_fd);
    if (!message) {
      // Framing is lost: there is no next message to find.
      replies.Send(Encode(protocol::ErrorReply{message.error().message}));
      return 1;
    }
    if (!*message)
      return 0;
    if (const auto envelope = protocol::DecodeEnvelope(**message)) {
      replies.Expect(Dispatcher::TimeoutReply(*envelope));
    }
    const Dispatcher::Answer answer = dispatcher.Handle(**message);
    const bool sent = replies.Send(answer.reply);
    if (answer.exit_code != 0) {
      dispatcher.Abandon();
      ::_exit(answer.exit_code);
    }
    if (!sent)
      return 1;
  }
}

}  // namespace croq::runner
