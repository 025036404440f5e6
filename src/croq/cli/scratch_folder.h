#pragma once

#include <filesystem>

#include "croq/base/result.h"

namespace croq::cli {

/// A folder of this process below the system's temporary files; it goes with the object.
class ScratchFolder {
 public:
  static Result<ScratchFolder> Make();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace croq::cli
