#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/process/environment.h"
#include "croq/tune/runner.h"

namespace croq::backend {

struct RunnerOptions {
  std::filesystem::path runner;      ///< process::FindSibling("croq-runner")
  std::filesystem::path supervisor;  ///< process::FindSibling("croq-supervisor")
  int ordinal = 0;                   ///< N of cuda:N
  process::Environment environment = process::CurrentEnvironment();
  /// What a lost runner printed goes to runner-<start>-<n>.txt here; empty: nowhere.
  std::filesystem::path log_folder;
  std::vector<std::string> arguments{"--read-fd", "3", "--write-fd", "4"};

  // Deadlines on this side, for a runner that does not keep its own. Wide: a reference of a large
  // shape takes seconds.
  std::chrono::milliseconds hello_wait{60'000};
  std::chrono::milliseconds open_wait{60'000};
  std::chrono::milliseconds prepare_wait{180'000};
  std::chrono::milliseconds slack{60'000};  ///< beyond what the request itself allows
};

/// The device process as tune::Runner. A runner that is lost (sticky CUDA error, a kernel past its
/// deadline, a crash, no answer) is killed with the reply in hand and a fresh one is started,
/// opened and prepared as the last one was when it is next needed; the request that was under way
/// is not repeated: its reply carries outcome kRuntime or kTimeout with the reason. One thread
/// only.
class RunnerClient : public tune::Runner {
 public:
  /// Starts the runner and opens the device. Errors: no runner program, no CUDA, no such device;
  /// the version is not this one's.
  static Result<std::unique_ptr<RunnerClient>> Start(const RunnerOptions& options);
  ~RunnerClient() override;

  const OpenReply& Opened() const;
  const DeviceFacts& Device() const { return Opened().device; }

  Result<PrepareReply> Prepare(const PrepareRequest& request) override;
  /// Errors also: the runner was lost on it, or it could not read or write the files.
  Result<InputsReply> WriteInputs(const InputsRequest& request) override;
  Result<ReferencesReply> SetReferences(const ReferencesRequest& request) override;
  Result<TrialReply> RunTrial(const TrialRequest& request) override;
  Result<DuelReply> RunDuel(const DuelRequest& request) override;
  Result<TimeReply> Time(const TimeRequest& request) override;
  Result<HeuristicsReply> FindHeuristics(const HeuristicsRequest& request) override;
  int Restarts() const override;

 private:
  class Impl;
  explicit RunnerClient(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace croq::backend
