#pragma once

#include <cuda.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "croq/base/result.h"
#include "croq/model/outcome.h"
#include "croq_runner/driver.h"

namespace croq::runner {

/// What a candidate (or the device under it) did wrong: the outcome and reason of a reply.
struct Fault {
  Outcome outcome = Outcome::kRuntime;
  std::string reason;
  bool sticky = false;  ///< the context is lost: every later call fails

  /// Nothing that touches the device may be called any more: it would fail, or wait for ever.
  bool EndsProcess() const { return sticky || outcome == Outcome::kTimeout; }
};

/// The value, or the fault to reply with. CROQ_TRY and CROQ_ASSIGN work on it.
template <typename T>
using Ran = tl::expected<T, Fault>;

[[nodiscard]] inline tl::unexpected<Fault> Refusal(std::string reason) {
  return tl::unexpected<Fault>(Fault{Outcome::kRuntime, std::move(reason), false});
}

/// Success, or the fault of a driver call that was made for `what`.
Ran<void> Checked(const Driver& driver, CUresult result, std::string_view what);

/// The fault of an error whose CUresult is not known any more: sticky where the stream says so.
Fault FaultOf(const Driver& driver, CUstream stream, const Error& error);

template <typename T>
Ran<T> Blamed(const Driver& driver, CUstream stream, Result<T> result) {
  if (!result)
    return tl::unexpected<Fault>(FaultOf(driver, stream, result.error()));
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return std::move(*result);
  }
}

}  // namespace croq::runner
