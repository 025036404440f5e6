#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "croq/base/recent.h"
#include "croq/tune/builder.h"

namespace croq::tune {

/// Compiles equal jobs once: the kernel that adds the parts of a split K, say, which most
/// configurations of a variant have in common. Jobs are equal where the source file's bytes, kernel,
/// parameters and options are; their results differ in ticket and time alone (one that was not
/// compiled took 0 ms). A failure is not kept: the same job is tried anew. Of what was compiled at
/// least the last kGeneration jobs are remembered, so that memory stays flat.
class SharedBuilder : public Builder {
 public:
  static constexpr std::size_t kGeneration = 512;

  /// `builder` outlives it. A file of a job does not change.
  explicit SharedBuilder(Builder& builder) : builder_(builder) {}

  int Capacity() const override { return builder_.Capacity(); }
  Status Submit(std::int64_t ticket, CompileJob job) override;
  Result<std::optional<BuildResult>> Next(std::chrono::milliseconds wait) override;
  int Pending() const override {
    return builder_.Pending() + static_cast<int>(ready_.size()) + waiting_;
  }
  /// Jobs that were not compiled because an equal one was.
  std::int64_t Shared() const { return shared_; }

 private:
  /// What makes a job itself; empty where its source can't be read.
  std::string KeyOf(const CompileJob& job);
  /// The remembered result of an equal job whose cubin is still there; null where there is none.
  const BuildResult* Remembered(const std::string& key);
  void Give(std::int64_t ticket, const BuildResult& result);

  Builder& builder_;
  Recent<std::string> sources_{kGeneration};          ///< fingerprints by path
  Recent<BuildResult> built_{kGeneration};            ///< correct ones, by key
  std::map<std::string, std::vector<std::int64_t>> followers_;  ///< tickets by key under way
  std::map<std::int64_t, std::string> leaders_;       ///< key by ticket under way
  std::deque<BuildResult> ready_;
  int waiting_ = 0;                                   ///< followers in all
  std::int64_t shared_ = 0;
};

}  // namespace croq::tune
