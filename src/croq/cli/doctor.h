#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/cli/device_argument.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/interpreter.h"
#include "croq/contract/contract.h"

/// The checks of `croq doctor`; `croq tune` runs the same ones for its device first.
namespace croq::cli {

enum class DoctorStatus {
  kOk,
  kWarning,  ///< tuning works, with something less
  kFailed,   ///< tuning on the asked device can't work
};

std::string_view NameOf(DoctorStatus status);

/// One check.
struct DoctorLine {
  std::string id;    ///< stable, for --json: `package.triton`, `gpu.0`
  std::string what;  ///< `Triton`
  DoctorStatus status = DoctorStatus::kOk;
  std::string found;
  std::string remedy;                  ///< what to do; not empty where it failed
  ErrorKind kind = ErrorKind::kUsage;  ///< who can mend it, where it failed
};

/// What --device came to.
struct ResolvedDevice {
  bool cuda = false;
  int ordinal = 0;
  int compute_capability = 0;
  std::string name;      ///< as the driver names it; empty offline
  std::string gpu_key;   ///< `sm90_NVIDIA_H200`, `sm90_offline`
  std::string argument;  ///< `cuda:0`, `offline:sm90`
  std::string reason;    ///< why this one; empty where it was asked for by name
};

struct DoctorOptions {
  InstallLayout layout;
  const contract::Contract* contract = nullptr;
  DeviceArgument device;
  std::filesystem::path out = ".";
  /// Starts a compile worker for real: as long as an interpreter and Triton take to start. A run
  /// leaves it out, as its pool does the same.
  bool worker_handshake = true;
  /// Profiler and sandbox layers, which a first run does without.
  bool optional_parts = true;
};

struct DoctorReport {
  std::vector<DoctorLine> lines;
  std::string asked;                       ///< the --device argument
  std::optional<ResolvedDevice> device;    ///< nothing where the asked one is not there
  std::optional<Interpreter> interpreter;  ///< nothing where none can be used

  bool Works() const;
  /// The failed lines as one error; usage where the caller can mend all of them.
  Status AsStatus() const;
};

/// Usage error where the GPU asked for is not one of those there are, or where nothing can be
/// written to `out`.
Result<DoctorReport> RunDoctor(const DoctorOptions& options);

/// A table, with what to do below each line that is not well.
std::string FormatReport(const DoctorReport& report);

void to_json(nlohmann::json& json, const DoctorReport& report);

}  // namespace croq::cli
