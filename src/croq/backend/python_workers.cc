#include "croq/backend/python_workers.h"

#include <system_error>

#include "croq/backend/worker_process.h"

namespace croq::backend {
namespace {

/// The workers' working directory is another one, so relative paths would go astray. A bare name is
/// left to PATH.
std::filesystem::path Absolute(const std::filesystem::path& path) {
  std::error_code ignored;
  return path.has_parent_path() ? std::filesystem::absolute(path, ignored) : path;
}

}  // namespace

WorkerSpec MakeWorkerSpec(const PythonWorkers& workers, const std::string& kind,
                          const std::filesystem::path& scratch, Sees sees) {
  WorkerSpec spec;
  spec.kind = kind;
  spec.argv.push_back(Absolute(workers.python).string());
  spec.argv.insert(spec.argv.end(), workers.program.begin(), workers.program.end());
  spec.argv.insert(spec.argv.end(), {kind, "--read-fd", "3", "--write-fd", "4"});
  spec.supervision = {workers.supervisor, workers.limits};
  spec.directory = scratch;

  spec.environment = workers.environment;
  std::string& path = spec.environment["PYTHONPATH"];
  std::error_code ignored;
  path = std::filesystem::absolute(workers.worker_folder, ignored).string() +
         (path.empty() ? "" : ":" + path);
  // A crash must leave a trace in the log, and what was printed before it must not be lost.
  spec.environment["PYTHONFAULTHANDLER"] = "1";
  spec.environment["PYTHONUNBUFFERED"] = "1";
  spec.environment["TMPDIR"] = scratch.string();
  spec.environment["TRITON_CACHE_DIR"] = (scratch / "triton_cache").string();
  spec.environment["TRITON_HOME"] = scratch.string();
  spec.environment["TRITON_BACKENDS_IN_TREE"] = "1";
  if (sees == Sees::kNoGpu) {
    spec.environment["CUDA_VISIBLE_DEVICES"] = "";
    // There are as many workers as cores, so each keeps to one thread.
    spec.environment["OMP_NUM_THREADS"] = "1";
  }
  return spec;
}

}  // namespace croq::backend
