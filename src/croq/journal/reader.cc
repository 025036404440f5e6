#include "croq/journal/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "croq/journal/store.h"

namespace croq::journal {
namespace {

namespace fs = std::filesystem;

/// The folders in `folder`, sorted; none where it can't be read.
std::vector<std::string> Folders(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<SessionPaths> FindStores(const fs::path& out) {
  std::vector<SessionPaths> found;
  for (const std::string& gpu : Folders(out / "tuning")) {
    for (const std::string& dsl : Folders(out / "tuning" / gpu)) {
      const fs::path logs = out / "tuning" / gpu / dsl / "logs";
      for (const std::string& shape : Folders(logs)) {
        for (const std::string& model : Folders(logs / shape)) {
          SessionPaths paths{out, gpu, dsl, shape, model};
          std::error_code code;
          if (fs::exists(paths.Journal(), code)) found.push_back(std::move(paths));
        }
      }
    }
  }
  return found;
}

Result<SessionSummary> Summarize(const SessionPaths& paths) {
  CROQ_ASSIGN(const JournalReader reader, JournalReader::Open(paths));
  return reader.read().Summary();
}

}  // namespace

Result<JournalReader> JournalReader::Open(const SessionPaths& paths) {
  CROQ_ASSIGN(Database database, OpenStoreToRead(paths.Journal()));
  return JournalReader(std::make_unique<Database>(std::move(database)));
}

std::string SessionName(const SessionPaths& paths) {
  return fmt::format("{}/{}/{}/{}", paths.gpu_key, paths.dsl, paths.shape_key, paths.model);
}

Result<std::vector<SessionEntry>> ListSessions(const fs::path& out) {
  std::error_code code;
  if (!fs::is_directory(out, code)) {
    return UsageFailure(fmt::format("there is no folder {}: name the one that holds tuning/ with "
                                    "--out", out.string()));
  }
  std::vector<SessionEntry> entries;
  for (SessionPaths& paths : FindStores(out)) {
    SessionEntry entry{std::move(paths), std::nullopt, ""};
    if (auto summary = Summarize(entry.paths)) {
      entry.summary = std::move(*summary);
    } else {
      entry.problem = summary.error().message;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<std::size_t> MatchSessions(const std::vector<std::string>& names,
                                       const std::string& text) {
  const auto matching = [&](const auto& matches) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (matches(names[i])) found.push_back(i);
    }
    return found;
  };
  auto found = matching([&](const std::string& name) { return name == text; });
  if (found.empty()) {
    found = matching([&](const std::string& name) {
      return ("/" + name + "/").find("/" + text + "/") != std::string::npos;
    });
  }
  if (found.empty()) {
    found = matching([&](const std::string& name) { return name.find(text) != std::string::npos; });
  }
  return found;
}

}  // namespace croq::journal
