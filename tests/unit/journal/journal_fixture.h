#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "croq/base/files.h"
#include "croq/journal/journal.h"

namespace croq::journal {

/// A folder of its own for one test, gone afterwards. In memory where there is such a disk: a
/// journal waits for the disk at each commit.
class TempFolder {
 public:
  TempFolder() {
    const std::filesystem::path memory = "/dev/shm";
    std::error_code ignored;
    const std::filesystem::path base = std::filesystem::is_directory(memory, ignored)
                                           ? memory
                                           : std::filesystem::temp_directory_path();
    std::string name = (base / "croq-journal-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline SessionInfo MakeInfo() {
  SessionInfo info;
  info.gpu_key = "sm90_NVIDIA_H200";
  info.dsl = "triton";
  info.shape_key = "matmul_f16fp32_4096x4096x4096";
  info.model = "croq";
  info.seed = "12345678901234567890";
  info.environment = {"0.1.0", "3.6.0", "2.13.0", "3.11.7", "13000", "NVIDIA H200"};
  return info;
}

inline SessionPaths PathsOf(const std::filesystem::path& out, const SessionInfo& info) {
  return {out, info.gpu_key, info.dsl, info.shape_key, info.model};
}

inline Trial MakeTrial(int n) {
  Trial trial;
  trial.round = n / 10;
  trial.config.variant = "tiled";
  trial.config.values["BLOCK_M"] = std::int64_t{32} << (n % 4);
  trial.config.values["INDEX"] = std::int64_t{n};
  trial.outcome = n % 5 == 0 ? Outcome::kCompile : Outcome::kCorrect;
  trial.reason = n % 5 == 0 ? "ptxas refused it" : "";
  trial.time_ms = 0.5 + n;
  trial.max_abs_err = 1e-4;
  trial.build = {128, 16, 98304, 412.5, "0123456789abcdef"};
  trial.device_state = "1980 MHz";
  trial.at_millis = 1769860800000 + n;
  return trial;
}

inline Iteration MakeIteration(int number, const std::string& tag) {
  Iteration iteration;
  iteration.number = number;
  iteration.tag = tag;
  iteration.round = number;
  iteration.config = number == 0 ? "torch.matmul" : "tiled BLOCK_M=128";
  iteration.decision = number == 0 ? Decision::kNone : Decision::kKeep;
  iteration.bottleneck = number == 0 ? "" : "compute_bound";
  iteration.idea = number == 0 ? "the bar" : "wider tiles";
  iteration.tflops = 700.125 + number;
  iteration.time_ms = 0.196;
  iteration.cold_ms = 0.21;
  iteration.ratio = 1.01;
  iteration.ratio_low = 1.005;
  iteration.ratio_high = 1.015;
  iteration.best_ratio = 1.02;
  iteration.script_tflops = 699;
  iteration.verified = true;
  iteration.max_abs_err = 2e-4;
  iteration.build = {168, 0, 131072, 300, "fedcba9876543210"};
  iteration.at_millis = 1769860800000 + number;
  return iteration;
}

/// A session in a folder of its own that can be closed and opened again.
class JournalTest : public ::testing::Test {
 protected:
  /// Fails the test where the session does not open.
  void Open() {
    journal_.reset();
    auto opened = Journal::Open(paths(), info_);
    ASSERT_TRUE(opened) << opened.error().message;
    journal_ = std::move(*opened);
  }

  /// Begins and commits one iteration.
  void Commit(const std::string& tag, Decision decision = Decision::kKeep,
              std::optional<Idea> idea = std::nullopt) {
    const auto number = journal_->BeginIteration(tag, "tiled BLOCK_M=128", 1);
    ASSERT_TRUE(number) << number.error().message;
    Iteration iteration = MakeIteration(*number, tag);
    iteration.decision = *number == 0 ? Decision::kNone : decision;
    const Status committed = journal_->CommitIteration(iteration, std::move(idea));
    ASSERT_TRUE(committed) << committed.error().message;
  }

  SessionPaths paths() const { return PathsOf(folder_.path(), info_); }
  std::string Text(const std::string& name) const {
    return ReadFile(paths().Logs() / name).value_or("(absent)");
  }
  static void Put(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  TempFolder folder_;
  SessionInfo info_ = MakeInfo();
  std::unique_ptr<Journal> journal_;
};

}  // namespace croq::journal
