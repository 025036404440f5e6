#pragma once

#include <atomic>
#include <memory>

#include "croq/backend/runner_client.h"
#include "croq/cli/doctor.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/tune_arguments.h"
#include "croq/contract/contract.h"
#include "croq/model/device.h"

namespace croq::cli {

/// What every session of one `croq tune` shares: files, contract, interpreter, device.
struct TuneSetup {
  TuneArguments arguments;
  TuneRequest request;
  InstallLayout layout;
  contract::Contract contract;
  Interpreter interpreter;
  std::filesystem::path profiler;
  ResolvedDevice resolved;
  DeviceFacts device;
  std::unique_ptr<backend::RunnerClient> runner;  ///< null offline
  int workers = 1;
};

/// Checks everything that can be checked before anything is written: arguments, contract,
/// environment (as croq doctor does), device, and that each problem fits into its memory.
Result<TuneSetup> PrepareTune(const TuneArguments& arguments);

}  // namespace croq::cli
