#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "croq/process/environment.h"
#include "croq/process/subprocess.h"

namespace croq::backend {

struct WorkerSpec;

/// What the Python workers of every kind have in common.
struct PythonWorkers {
  std::filesystem::path python;         ///< interpreter that has Triton
  std::filesystem::path worker_folder;  ///< folder that holds the package croq_worker
  std::filesystem::path supervisor;     ///< process::FindSibling("croq-supervisor")
  process::Environment environment = process::CurrentEnvironment();
  process::Limits limits;
  /// From the spawn to the hello: importing torch from a cold disk takes its time.
  std::chrono::milliseconds hello_wait{60'000};
  /// Arguments before the kind; tests put a fake here.
  std::vector<std::string> program{"-m", "croq_worker"};
};

/// Whether a worker may use the GPUs: of all of them only the one that runs a reference may.
enum class Sees { kNoGpu, kGpus };

/// A worker of this kind whose caches and temporary files stay in `scratch` (absolute, exists).
WorkerSpec MakeWorkerSpec(const PythonWorkers& workers, const std::string& kind,
                          const std::filesystem::path& scratch, Sees sees = Sees::kNoGpu);

}  // namespace croq::backend
