#include "croq/backend/interpreter_check.h"

#include <fmt/format.h>

#include <system_error>

#include "croq/base/files.h"

namespace croq::backend {
namespace {

/// Why the twin's numbers are wrong, or an empty string.
std::string Judge(const protocol::InterpretReply& result, double tolerance) {
  if (result.nan_count > 0)
    return fmt::format("{} elements are NaN", result.nan_count);
  if (!(result.max_abs_err < tolerance)) {
    return fmt::format("max_abs_err {:.3g} is not below {:.3g}", result.max_abs_err, tolerance);
  }
  if (!(result.worst_ratio <= 1)) {
    return fmt::format("an element is {:.2f} times the per-element bound off", result.worst_ratio);
  }
  return "";
}

}  // namespace

Result<tune::NumericReply> InterpreterCheck::Check(const tune::Candidate& candidate) {
  CROQ_ASSIGN(const operators::Twin twin, factory_.MakeTwin(candidate.config));
  CROQ_TRY(MakeDirectories(scratch_));
  std::error_code ignored;
  protocol::InterpretRequest job;
  job.source = std::filesystem::absolute(scratch_ / "twin.py", ignored).string();
  job.entry = "kernel_fn";
  job.shape = twin.shape;
  job.seed = seed_;
  CROQ_TRY(WriteFile(job.source, twin.source));
  CROQ_ASSIGN(const protocol::InterpretReply result, client_.Interpret(job));
  tune::NumericReply reply;
  reply.checked_as = fmt::format("interpreter, {}", twin.shape.text);
  if (!twin.note.empty())
    reply.checked_as += ", " + twin.note;
  if (!result.ok) {
    reply.outcome = result.outcome;
    reply.reason = result.message;
    return reply;
  }
  reply.max_abs_err = result.max_abs_err;
  const std::string wrong = Judge(result, twin.tolerance);
  if (!wrong.empty()) {
    reply.outcome = Outcome::kCorrectness;
    reply.reason = fmt::format("wrong in Triton's interpreter ({}): {}", reply.checked_as, wrong);
  }
  return reply;
}

}  // namespace croq::backend
