#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "croq/base/result.h"
#include "croq/protocol/envelope.h"
#include "croq/protocol/hello.h"
#include "croq_runner/bench.h"
#include "croq_runner/driver.h"
#include "croq_runner/watchdog.h"

namespace croq::runner {

/// Exit codes of the process: the engine reads the last reply, these are for people and logs.
inline constexpr int kExitContextLost = 10;
inline constexpr int kExitHung = 11;

/// Answers one request after another. Errors that are the engine's fault (a message that can't be
/// decoded, a trial before prepare) become messages of type "error".
class Dispatcher {
 public:
  /// `driver` is null without CUDA; `problem` then says why.
  Dispatcher(std::unique_ptr<Driver> driver, std::string problem, Watchdog* watchdog);
  ~Dispatcher();

  protocol::RunnerHello Hello() const;

  struct Answer;
  Answer Handle(const nlohmann::json& message);

  /// What to reply to this request if it has to be given up from another thread; an "error" for
  /// requests that launch nothing of a candidate's.
  static nlohmann::json TimeoutReply(const protocol::Envelope& envelope);

  /// Gives the device up without closing it: after a reply that ends the process.
  void Abandon();

 private:
  Answer Route(const protocol::Envelope& envelope, const nlohmann::json& message);
  Result<nlohmann::json> Open(const nlohmann::json& message);
  Result<nlohmann::json> Prepare(const nlohmann::json& message);
  Result<nlohmann::json> WriteInputs(const nlohmann::json& message);
  Result<nlohmann::json> SetReferences(const nlohmann::json& message);
  Result<nlohmann::json> FindHeuristics(const nlohmann::json& message);
  /// The bench, or why there is none yet.
  Result<Bench*> PreparedBench();
  /// Its brought problem, or why there is none.
  Result<ProblemOperands*> PreparedProblem();

  std::unique_ptr<Driver> driver_;
  std::string problem_;
  Watchdog* watchdog_;
  std::unique_ptr<Bench> bench_;
};

}  // namespace croq::runner
