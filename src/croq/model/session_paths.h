#pragma once

#include <filesystem>
#include <string>

namespace croq {

/// The contract's layout under `<out>/tuning/<gpu>/<dsl>/`, to the letter.
struct SessionPaths {
  std::filesystem::path out;   ///< the folder that holds tuning/
  std::string gpu_key;
  std::string dsl;
  std::string shape_key;
  std::string model;

  std::filesystem::path Root() const { return out / "tuning" / gpu_key / dsl; }
  std::filesystem::path Sources() const { return Root() / "srcs" / shape_key / model; }
  std::filesystem::path Commands() const { return Root() / "cmd" / shape_key / model; }
  std::filesystem::path Performance() const { return Root() / "perf" / shape_key / model; }
  std::filesystem::path Logs() const { return Root() / "logs" / shape_key / model; }
  std::filesystem::path Journal() const { return Logs() / "journal.db"; }
  /// Trial sources, cubins, worker logs: may be deleted at any time between runs.
  std::filesystem::path Work() const { return Logs() / "work"; }

  std::filesystem::path Source(const std::string& name) const { return Sources() / (name + ".py"); }
  /// The code of an iteration's kernels as it was measured: `iter003_<tag>.cubin`, and for the
  /// second kernel and on `iter003_<tag>.1.cubin`.
  std::filesystem::path Cubin(const std::string& name, std::size_t kernel) const;
  std::filesystem::path BuildScript(int iteration) const;
  std::filesystem::path RunScript(int iteration) const;
  std::filesystem::path ProfileScript(int iteration) const;
  std::filesystem::path ProfileReport(int iteration) const;   ///< .ncu-rep
  std::filesystem::path ProfileCsv(int iteration) const;      ///< raw page
  std::filesystem::path ProfileDetails(int iteration) const;  ///< beyond the contract
  std::filesystem::path BuildLog(int iteration) const;
  std::filesystem::path TimingLog(int iteration) const;
};

}  // namespace croq
