#include "croq/cli/session_parts.h"

#include <sys/random.h>

#include <utility>

#include "croq/base/clock.h"
#include "croq/cli/tune_search.h"
#include "croq/protocol/version.h"

namespace croq::cli {

SessionPaths PathsOf(const TuneSetup& setup, const ShapeKey& shape) {
  return {std::filesystem::absolute(setup.arguments.out).lexically_normal(), setup.device.key,
          setup.arguments.dsl, shape.text, setup.arguments.model};
}

std::uint64_t FreshSeed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) {
    seed = static_cast<std::uint64_t>(UnixMillis()) * 0x9E3779B97F4A7C15ull;
  }
  return seed;
}

journal::SessionInfo WantedSession(const TuneSetup& setup, const SessionPaths& paths,
                                   std::uint64_t seed) {
  journal::SessionInfo info;
  info.gpu_key = paths.gpu_key;
  info.dsl = paths.dsl;
  info.shape_key = paths.shape_key;
  info.model = paths.model;
  info.offline = !setup.device.measured;
  info.seed = std::to_string(seed);
  info.created_millis = UnixMillis();
  const Interpreter& python = setup.interpreter;
  info.environment = {std::string(protocol::kCroqVersion), python.VersionOf("triton"),
                      python.VersionOf("torch"), python.python,
                      setup.device.driver_version > 0
                          ? std::to_string(setup.device.driver_version)
                          : "",
                      setup.device.name};
  return info;
}

backend::PythonWorkers WorkersOf(const TuneSetup& setup) {
  backend::PythonWorkers python;
  python.python = setup.interpreter.path;
  python.worker_folder = setup.layout.python;
  python.supervisor = setup.layout.supervisor;
  return python;
}

Result<std::unique_ptr<backend::CompilePool>> StartPool(const TuneSetup& setup,
                                                        const SessionPaths& paths) {
  backend::CompilePoolOptions pool;
  pool.python = WorkersOf(setup);
  pool.workers = setup.workers;
  pool.work_folder = paths.Work() / "pool";
  return backend::CompilePool::Start(pool);
}

std::unique_ptr<backend::PurityCheck> MakeRuleCheck(const TuneSetup& setup,
                                                    const SessionPaths& paths) {
  backend::SourceReader::Options reader;
  reader.python = WorkersOf(setup);
  reader.scratch = paths.Work() / "rules";
  return std::make_unique<backend::PurityCheck>(std::move(reader), setup.contract);
}

std::unique_ptr<backend::SupervisedScriptHost> MakeScriptHost(const TuneSetup& setup,
                                                              const SessionPaths& paths) {
  backend::ScriptHostOptions host;
  host.supervisor = setup.layout.supervisor;
  host.directory = paths.out;
  if (setup.resolved.cuda) SelectDevice(setup.resolved.ordinal, host.environment);
  return std::make_unique<backend::SupervisedScriptHost>(std::move(host));
}

Result<std::vector<std::filesystem::path>> ScriptPathFolders(const TuneSetup& setup,
                                                             const SessionPaths& paths) {
  CROQ_ASSIGN(const std::filesystem::path folder,
              PythonFolder(setup.interpreter.path, setup.contract.environment.interpreter,
                           paths.Work() / "bin"));
  std::vector<std::filesystem::path> folders{folder};
  if (!setup.profiler.empty()) folders.push_back(setup.profiler.parent_path());
  return folders;
}

PrepareRequest RequestFor(const TuneSetup& setup, const ShapeKey& shape, std::uint64_t input_seed) {
  PrepareRequest request;
  request.shape = shape;
  request.seed = input_seed;
  request.max_abs_tolerance = setup.contract.ToleranceOf(shape.dtype).value_or(0);
  request.libraries = {setup.interpreter.cublas, setup.interpreter.cublas_lt};
  return request;
}

backend::ReplayOptions ReplayOptionsFor(const TuneSetup& setup, const SessionPaths& paths,
                                        PrepareRequest prepare) {
  backend::ReplayOptions options;
  options.runner = setup.layout.runner;
  options.folder = paths.Work() / "profile";
  options.ordinal = 0;  // the host shows its programs the setup's device alone
  options.prepare = std::move(prepare);
  options.prepare.seed = 1;
  options.prepare.libraries = {};
  if (!setup.profiler.empty()) options.path_folders = {setup.profiler.parent_path()};
  return options;
}

}  // namespace croq::cli
