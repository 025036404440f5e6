#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "croq/backend/script_workers.h"
#include "croq/model/problem.h"
#include "croq/tune/numeric_check.h"

namespace croq::backend {

/// Checks a brought file's numbers without a GPU: its entry in Triton's interpreter on a small form
/// of its problem, against its own reference. Where that can't be (no such form, the file does not
/// run on it, it takes too long) the candidate passes and the reply says that nothing was checked.
class BroughtNumerics : public tune::NumericCheck {
 public:
  BroughtNumerics(const PythonWorkers& workers, std::filesystem::path scratch,
                  std::optional<Problem> small, std::uint64_t seed)
      : client_(workers, scratch / "worker"),
        scratch_(std::move(scratch)),
        small_(std::move(small)),
        seed_(seed) {}

  Result<tune::NumericReply> Check(const tune::Candidate& candidate) override;

 private:
  InterpreterClient client_;
  std::filesystem::path scratch_;
  std::optional<Problem> small_;
  std::uint64_t seed_;
};

}  // namespace croq::backend
