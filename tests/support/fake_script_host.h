#pragma once

#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "croq/model/session_paths.h"
#include "croq/tune/script_host.h"

namespace croq::testing {

/// Runs nothing. Build scripts print "import OK" and run scripts a verdict and `script_ms`, unless
/// another end was queued for them. What a run script prints it also puts into the timing log, as
/// the contract's does.
class FakeScriptHost : public tune::ScriptHost {
 public:
  FakeScriptHost(SessionPaths paths, double flops) : paths_(std::move(paths)), flops_(flops) {}

  Result<tune::ScriptRun> Run(const std::filesystem::path& script, double) override {
    const std::string name = script.stem().string();
    ran.push_back(name);
    missing_files |= !std::filesystem::exists(script);
    if (name.starts_with("build_"))
      return Take(builds, Ended("import OK\n"));
    const tune::ScriptRun run = Take(runs, Ended(Printed("VERIFY: PASS", script_ms)));
    std::ofstream(paths_.Performance() / ("timing_" + name.substr(4) + ".txt")) << run.output;
    return run;
  }

  static tune::ScriptRun Ended(const std::string& output) { return {true, false, "", output, 1}; }
  static tune::ScriptRun Failed(const std::string& reason, const std::string& output = "") {
    return {false, false, reason, output, 1};
  }
  static tune::ScriptRun TimedOut() { return {false, true, "ran past its deadline", "", 300}; }

  std::string Printed(const std::string& verdict, double ms) const {
    return fmt::format("{}\n{}TFLOPS: {:.2f}   time_ms: {:.4f}\n", verdict,
                       kernels.empty() ? "" : "KERNELS: " + kernels + "\n", flops_ / ms / 1e9, ms);
  }

  double script_ms = 1;
  std::string kernels;                 ///< printed as `KERNELS: ...` where it is not empty
  std::deque<tune::ScriptRun> builds;  ///< how the next build scripts end
  std::deque<tune::ScriptRun> runs;
  std::vector<std::string> ran;  ///< build_iter001, run_iter001, ...
  bool missing_files = false;    ///< a script was run that does not exist

 private:
  static tune::ScriptRun Take(std::deque<tune::ScriptRun>& queue, tune::ScriptRun otherwise) {
    if (queue.empty())
      return otherwise;
    tune::ScriptRun run = std::move(queue.front());
    queue.pop_front();
    return run;
  }

  SessionPaths paths_;
  double flops_;
};

}  // namespace croq::testing
