#include "croq/cli/package_folder.h"

#include "croq/process/run.h"

namespace croq::cli {
namespace {

constexpr std::chrono::seconds kDeadline{60};

}  // namespace

Result<std::string> PackageFolder(const PythonChoice& choice, const std::string& package,
                                  const InstallLayout& layout) {
  constexpr const char* kCode =
      "import importlib.util, sys; spec = importlib.util.find_spec(sys.argv[1]); "
      "print(spec.submodule_search_locations[0] if spec else '')";
  process::RunOptions options;
  options.argv = {choice.path.string(), "-c", kCode, package};
  options.environment = WorkerEnvironment(layout);
  options.deadline = kDeadline;
  options.supervisor = layout.supervisor;
  CROQ_ASSIGN(const process::RunResult ran, process::RunToCompletion(options));
  return ran.Succeeded() ? process::LastLine(ran.output, 4096) : std::string();
}

}  // namespace croq::cli
