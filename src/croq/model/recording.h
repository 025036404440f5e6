#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/outcome.h"
#include "croq/model/search_space.h"
#include "croq/model/shape_key.h"

namespace croq {

/// One configuration, measured once.
struct RecordedTrial {
  Config config;
  Outcome outcome = Outcome::kCorrect;
  double time_ms = 0;     ///< cold median; 0 where outcome is not kCorrect
  double compile_ms = 0;  ///< of one worker
  double measure_ms = 0;  ///< wall of loading, checking and timing on the GPU
};

/// A configuration space that was measured once, so that searches can be replayed on it without a
/// GPU. File format: docs/recordings.md.
struct Recording {
  ShapeKey shape;
  DeviceFacts device;
  std::string triton;
  std::string date;                   ///< UTC, `2026-12-01`
  double cublas_ms = 0;               ///< cold median of the library call; 0: none
  double cublas_lt_ms = 0;            ///< of cublasLt's best of its first answers; 0: none
  int workers = 0;                    ///< that compiled side by side; 0: not known
  bool whole = false;                 ///< every configuration that the space allows is here
  std::vector<VariantSpace> space;    ///< the values of each lever that were recorded
  std::vector<RecordedTrial> trials;  ///< in the order they were measured

  /// The fastest correct trial's time; 0 where there is none.
  double BestMs() const;
};

/// Whole or not at all. Times are rounded to 0.1 us (time_ms) and 0.1 ms. Fatal where a trial's
/// configuration is not of the recording's space.
Status WriteRecording(const std::filesystem::path& path, const Recording& recording);

/// A usage error names the file, the line and what is wrong there: a row that can't be read or that
/// stands twice, fewer or more rows than the header says.
Result<Recording> ReadRecording(const std::filesystem::path& path);

/// A recording's trials by configuration.
class RecordedTrials {
 public:
  explicit RecordedTrials(const Recording& recording);
  /// Null where it was not recorded.
  const RecordedTrial* Find(const Config& config) const;

 private:
  const Recording& recording_;
  std::unordered_map<std::string, std::size_t> places_;  ///< by text
};

/// What a search may propose of a recording: what is in it, and nothing else. The recording
/// outlives the space.
SearchSpace SpaceOf(const Recording& recording);

}  // namespace croq
