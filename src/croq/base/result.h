#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace croq {

/// Who can mend an error decides the exit code: a usage error is the caller's to mend (exit 2), a
/// fatal one is the machine's or croq's (exit 1).
enum class ErrorKind { kUsage, kFatal };

/// What went wrong, as one sentence that says what happened, where, and what to do.
struct Error {
  ErrorKind kind = ErrorKind::kFatal;
  std::string message;
};

/// The value, or why there is none. Absence that is not an error is std::optional instead.
template <typename T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> UsageFailure(std::string message) {
  return tl::unexpected<Error>(Error{ErrorKind::kUsage, std::move(message)});
}

[[nodiscard]] inline tl::unexpected<Error> Failure(std::string message) {
  return tl::unexpected<Error>(Error{ErrorKind::kFatal, std::move(message)});
}

/// Puts `prefix: ` before the message, keeping the kind.
[[nodiscard]] inline tl::unexpected<Error> Wrap(const Error& error, const std::string& prefix) {
  return tl::unexpected<Error>(Error{error.kind, prefix + ": " + error.message});
}

}  // namespace croq

#define CROQ_CONCAT_INNER(a, b) a##b
#define CROQ_CONCAT(a, b) CROQ_CONCAT_INNER(a, b)

/// Returns the error of a Status or Result expression to the caller.
#define CROQ_TRY(expression)                                    \
  do {                                                          \
    if (auto croq_try_result = (expression); !croq_try_result)  \
      return tl::unexpected(std::move(croq_try_result).error()); \
  } while (false)

/// CROQ_ASSIGN(auto x, F()): x is F's value, or F's error is returned to the caller.
#define CROQ_ASSIGN(declaration, expression) \
  CROQ_ASSIGN_IMPL(CROQ_CONCAT(croq_assign_, __LINE__), declaration, expression)
#define CROQ_ASSIGN_IMPL(temporary, declaration, expression)              \
  auto temporary = (expression);                                          \
  if (!temporary) return tl::unexpected(std::move(temporary).error());    \
  declaration = std::move(*temporary)
