#pragma once

#include <cstdint>
#include <filesystem>

#include "croq/backend/script_workers.h"
#include "croq/operators/operator.h"
#include "croq/tune/numeric_check.h"

namespace croq::backend {

/// Checks a candidate's numbers in Triton's interpreter, on the small twin that its operator gives.
class InterpreterCheck : public tune::NumericCheck {
 public:
  /// `factory` outlives this. `scratch`: the twins' scripts and the worker's files.
  InterpreterCheck(const PythonWorkers& workers, const operators::CandidateFactory& factory,
                   std::filesystem::path scratch, std::uint64_t seed)
      : client_(workers, scratch / "worker"),
        factory_(factory),
        scratch_(std::move(scratch)),
        seed_(seed) {}

  Result<tune::NumericReply> Check(const tune::Candidate& candidate) override;

 private:
  InterpreterClient client_;
  const operators::CandidateFactory& factory_;
  std::filesystem::path scratch_;
  std::uint64_t seed_;
};

}  // namespace croq::backend
