#include "croq/journal/attempt_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "croq/base/fd.h"
#include "croq/model/iteration.h"

namespace croq::journal {
namespace {

namespace fs = std::filesystem;

Status Move(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::rename(from, to, code);
  if (code && code != std::errc::no_such_file_or_directory) {
    return Failure(fmt::format("cannot move {} to {}: {}", from.string(), to.string(),
                               code.message()));
  }
  return {};
}

void SyncFolder(const fs::path& path) {
  Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) ::fsync(folder.get());
}

}  // namespace

std::string KeptLogPath(const SessionPaths& paths, const std::string& log, int attempt,
                        const std::string& tag) {
  if (log.empty()) return "";
  const fs::path path = fs::path(log).lexically_normal();
  if (path.parent_path() != paths.Performance().lexically_normal()) return "";
  return (paths.Logs() / (AttemptName(attempt) + "_" + tag + ".log")).string();
}

Status MoveAttemptFiles(const SessionPaths& paths, const AttemptMove& move) {
  const std::string iteration = IterationName(move.released);
  CROQ_TRY(Move(paths.Source(iteration + "_" + move.tag),
                paths.Source(AttemptName(move.attempt) + "_" + move.tag)));
  if (!move.log_from.empty()) CROQ_TRY(Move(move.log_from, move.log));
  const fs::path perf = paths.Performance();
  for (const fs::path& path :
       {paths.BuildScript(move.released), paths.RunScript(move.released),
        paths.ProfileScript(move.released), paths.BuildLog(move.released),
        paths.TimingLog(move.released), perf / ("ncu_" + iteration + ".ncu-rep"),
        perf / ("ncu_" + iteration + ".csv")}) {
    std::error_code code;
    fs::remove(path, code);
    if (code) {
      return Failure(fmt::format("cannot remove {}: {}", path.string(), code.message()));
    }
  }
  SyncFolder(paths.Sources());
  return {};
}

}  // namespace croq::journal
