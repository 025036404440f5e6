#include "croq_runner/fault.h"

#include <fmt/format.h>

namespace croq::runner {

Ran<void> Checked(const Driver& driver, CUresult result, std::string_view what) {
  if (result == CUDA_SUCCESS)
    return {};
  return tl::unexpected<Fault>(Fault{Outcome::kRuntime,
                                     fmt::format("{}: {}", what, driver.Describe(result)),
                                     Driver::IsSticky(result)});
}

Fault FaultOf(const Driver& driver, CUstream stream, const Error& error) {
  const CUresult state = driver.StreamQuery(stream);
  return Fault{Outcome::kRuntime, error.message, Driver::IsSticky(state)};
}

}  // namespace croq::runner
