#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "croq/base/clock.h"
#include "croq/base/result.h"
#include "croq/process/bounded_capture.h"
#include "croq/process/subprocess.h"
#include "croq/protocol/frame.h"

/// Inside the backend only: public headers of the module don't include this one.
namespace croq::backend {

/// A worker that does not read its request for so long is taken for dead.
inline constexpr std::chrono::milliseconds kSendWait{10'000};

/// How to start a child that speaks frames on descriptors 3 and 4.
struct WorkerSpec {
  std::string kind;  ///< what its hello must say: "compile", "capture", "interpret", "runner"
  std::vector<std::string> argv;
  process::Environment environment;
  std::filesystem::path directory;  ///< working directory; empty: this process's own
  process::Supervision supervision;
};

/// What came from a worker.
struct Received {
  enum class Kind {
    kNothing,  ///< not yet, or not by the deadline
    kMessage,
    kGone,     ///< it closed its replies: it died, or is about to
    kGarbage,  ///< not croq's protocol; nothing behind it can be trusted
  };
  Kind kind = Kind::kNothing;
  nlohmann::json message;
  std::string problem;  ///< of kGarbage
};

/// One supervised child that answers requests: spawn, send, receive, kill. It knows nothing of what
/// the messages mean. Destroying it kills the child and all it started.
class WorkerProcess {
 public:
  static Result<WorkerProcess> Start(const WorkerSpec& spec);

  /// Error: it does not take the bytes (dead, or not reading) by the deadline.
  Status Send(const nlohmann::json& message, SteadyTime deadline);
  /// What is there now. Takes in its output as well.
  Received Poll();
  /// Waits for a message until the deadline.
  Received Receive(SteadyTime deadline);

  /// For poll(2); -1 once closed (poll ignores that).
  int reply_fd() const { return replies_open_ ? process_.reply_fd().get() : -1; }
  int output_fd() const { return output_open_ ? process_.output_fd().get() : -1; }

  /// What it printed since the last ClearOutput, capped.
  std::string Output();
  void ClearOutput();

  /// Starts the killing without waiting for the end.
  void LetGo() { process_.LetGo(); }
  /// Waits a moment for its end (it has closed its replies), kills it otherwise, and says how it
  /// ended: `killed by SIGSEGV (11)`.
  std::string Bury();
  /// Kills it with everything that it started.
  void Kill();

 private:
  explicit WorkerProcess(process::Subprocess process) : process_(std::move(process)) {}

  void DrainOutput();

  process::Subprocess process_;
  protocol::FrameReader frames_;
  process::BoundedCapture output_;
  bool replies_open_ = true;
  bool output_open_ = true;
};

/// Error where the first message is not the hello of a worker of this kind, this protocol and this
/// version of croq. Of the runner's hello too.
Status CheckHello(const std::string& kind, const nlohmann::json& message);

/// CheckHello of the first message, or why there is none: it died (how, and the last line that it
/// printed), it stayed silent.
Result<nlohmann::json> AwaitHello(const WorkerSpec& spec, WorkerProcess& worker,
                                  std::chrono::milliseconds wait);

/// `reason; its last words: <last line printed>`, or the reason alone where it printed nothing.
std::string WithLastWords(const std::string& reason, const std::string& output);

}  // namespace croq::backend
