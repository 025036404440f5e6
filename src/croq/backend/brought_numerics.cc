#include "croq/backend/brought_numerics.h"

#include <fmt/format.h>

#include <system_error>

#include "croq/base/files.h"

namespace croq::backend {
namespace {

constexpr double kSeconds = 60;

tune::NumericReply NotChecked(const std::string& why) {
  tune::NumericReply reply;
  reply.checked = false;
  reply.checked_as = "numerics not checked offline: " + why;
  return reply;
}

}  // namespace

Result<tune::NumericReply> BroughtNumerics::Check(const tune::Candidate& candidate) {
  if (!small_) return NotChecked("the problem has no form that is small enough");
  CROQ_TRY(MakeDirectories(scratch_));
  std::error_code ignored;
  protocol::InterpretRequest job;
  job.source = std::filesystem::absolute(scratch_ / "small.py", ignored).string();
  job.entry = small_->entry;
  job.shape = small_->key;
  job.problem = *small_;
  job.seed = seed_;
  job.max_abs_tolerance = small_->absolute_tolerance;
  job.timeout_s = kSeconds;
  CROQ_TRY(WriteFile(job.source, candidate.source));
  const Result<protocol::InterpretReply> result = client_.Interpret(job);
  if (!result) return NotChecked(result.error().message);
  if (!result->ok) {
    return NotChecked(fmt::format("at {} the check in the interpreter ended: {}", small_->key.text,
                                  result->message));
  }
  tune::NumericReply reply;
  reply.checked_as = fmt::format("interpreter, {}", small_->key.text);
  reply.max_abs_err = result->max_abs_err;
  if (!result->passed || result->nan_count > 0) {
    reply.outcome = Outcome::kCorrectness;
    reply.reason = fmt::format("wrong in Triton's interpreter ({}): max_abs_err {:.3g}, {:.2f} times "
                               "the bound, {} NaN", reply.checked_as, result->max_abs_err,
                               result->worst_ratio, result->nan_count);
  }
  return reply;
}

}  // namespace croq::backend
