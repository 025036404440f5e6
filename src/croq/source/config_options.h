#pragma once

#include <string>
#include <string_view>

/// Inside the module: names that Triton, or a build of it, knows or knew.
namespace croq::source {

/// The back end whose launch option the word is.
enum class Backend { kNone, kAmd, kNvidia };
Backend BackendOfOption(std::string_view name);

/// num_warps and its like, which every launch takes.
bool IsLaunchOption(std::string_view name);

/// For a keyword of triton.Config that today's Triton does not take: which one did, and what
/// becomes of it. Empty for today's keywords.
std::string HistoryOfOption(std::string_view name);

}  // namespace croq::source
