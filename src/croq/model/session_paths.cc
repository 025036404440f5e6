#include "croq/model/session_paths.h"

#include "croq/model/iteration.h"

namespace croq {

std::filesystem::path SessionPaths::Cubin(const std::string& name, std::size_t kernel) const {
  const std::string number = kernel == 0 ? "" : "." + std::to_string(kernel);
  return Logs() / "cubins" / (name + number + ".cubin");
}

std::filesystem::path SessionPaths::BuildScript(int iteration) const {
  return Commands() / ("build_" + IterationName(iteration) + ".sh");
}

std::filesystem::path SessionPaths::RunScript(int iteration) const {
  return Commands() / ("run_" + IterationName(iteration) + ".sh");
}

std::filesystem::path SessionPaths::ProfileScript(int iteration) const {
  return Commands() / ("profile_" + IterationName(iteration) + ".sh");
}

std::filesystem::path SessionPaths::ProfileReport(int iteration) const {
  return Performance() / ("ncu_" + IterationName(iteration) + ".ncu-rep");
}

std::filesystem::path SessionPaths::ProfileCsv(int iteration) const {
  return Performance() / ("ncu_" + IterationName(iteration) + ".csv");
}

std::filesystem::path SessionPaths::ProfileDetails(int iteration) const {
  return Performance() / ("ncu_" + IterationName(iteration) + ".details.csv");
}

std::filesystem::path SessionPaths::BuildLog(int iteration) const {
  return Performance() / ("build_" + IterationName(iteration) + ".txt");
}

std::filesystem::path SessionPaths::TimingLog(int iteration) const {
  return Performance() / ("timing_" + IterationName(iteration) + ".txt");
}

}  // namespace croq
