#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "croq/base/files.h"
#include "croq/contract/contract.h"

namespace croq::contract {

inline std::filesystem::path SourceDir() {
  return CROQ_SOURCE_DIR;
}

inline Contract Triton() {
  auto contract = LoadContract(SourceDir() / "contracts" / "triton.toml");
  if (!contract) {
    ADD_FAILURE() << contract.error().message;
    return {};
  }
  return *contract;
}

/// A folder of the test's own, removed at its end. Its name has what breaks careless quoting.
class ScratchFolder {
 public:
  ScratchFolder() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("croq it's \"a\" $test " + std::string(info->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string MustRead(const std::filesystem::path& path) {
  auto text = ReadFile(path);
  if (!text) {
    ADD_FAILURE() << text.error().message;
    return {};
  }
  return *text;
}

}  // namespace croq::contract
