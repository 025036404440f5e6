#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "croq/model/launch_plan.h"
#include "croq/model/runner_messages.h"
#include "support/runner_process.h"

namespace croq::runner {

/// The real croq-runner on the fake driver, opened and prepared for a small problem.
class RunnerOnFake : public ::testing::Test {
 protected:
  RunnerOnFake();
  ~RunnerOnFake() override;

  /// Starts, takes the hello, opens and prepares.
  void StartPrepared();
  void Start();
  nlohmann::json Open();
  nlohmann::json Prepare();

  /// A plan of one launch of kernel "k", described as in support/fake_cuda_model.h.
  LaunchPlan Plan(const std::string& description);
  std::optional<nlohmann::json> RunTrial(const TrialRequest& request);
  TrialRequest Trial(const std::string& description);

  /// The fake's log of launches of the candidate `entry`, one line each; "hold" lines and
  /// copies too. What StartPrepared led to (the copy rate is measured) is left out.
  std::vector<std::string> LogLines() const;

  std::filesystem::path folder_;
  std::unique_ptr<croq::testing::RunnerProcess> runner_;
  int cubins_ = 0;
  std::size_t prepared_lines_ = 0;
};

}  // namespace croq::runner
