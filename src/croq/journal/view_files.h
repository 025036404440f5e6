#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"

namespace croq::journal {

/// One view on disk. The journal is the truth, so nothing is read back from here: a line is
/// appended after its row is committed, and Repair() rewrites what a crash or a person left
/// different.
class ViewFile {
 public:
  /// `empty` is the content of a view without rows. Such a view need not exist, unless `always`.
  ViewFile(std::filesystem::path path, std::string empty, bool always)
      : path_(std::move(path)), empty_(std::move(empty)), always_(always) {}

  /// Makes the file hold `content`. Returns what was repaired as one sentence, empty where nothing
  /// was. Content that does not start as `content` does (a person's edit) is first copied to
  /// `<name>.bak`.
  Result<std::string> Repair(const std::string& content);

  /// Appends one line. Where the file is not as this object left it, or an append was cut short,
  /// returns false having appended nothing: the caller repairs with the whole content.
  Result<bool> Append(std::string_view line);

 private:
  std::filesystem::path path_;
  std::string empty_;
  bool always_;
  std::int64_t size_ = -1;           ///< of the file as last written here; -1: unknown
};

}  // namespace croq::journal
