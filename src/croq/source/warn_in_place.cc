#include <fmt/format.h>

#include <algorithm>

#include "croq/source/kernel_body.h"
#include "croq/source/outline_warnings.h"

/// What the trials of an autotuner do to the caller's data, and what a pinned kernel loses.
namespace croq::source {
namespace {

bool Lists(const WordList& list, const std::string& word) {
  return std::any_of(list.words.begin(), list.words.end(),
                     [&](const WordList::Word& one) { return one.text == word; });
}

/// One configuration is never tried, it is used.
bool IsTried(const AutotuneInfo& tuned) {
  return !tuned.configs_known || tuned.configs.size() > 1;
}

bool HasHook(const AutotuneInfo& tuned) {
  return tuned.Option("pre_hook") != nullptr ||
         std::any_of(tuned.configs.begin(), tuned.configs.end(),
                     [](const ConfigInfo& config) { return config.pre_hook != nullptr; });
}

void WarnOfUse(const KernelInfo& kernel, const std::string& name, const PointerUse& use,
               Outline& outline) {
  // What is stored before it is loaded is the kernel's own.
  const bool in_place = use.loaded != nullptr && use.stored != nullptr &&
                        use.loaded->span.line <= use.stored->span.line;
  if (in_place) {
    Warn(outline, "in-place", *use.stored, kernel.qualified_name,
         fmt::format("{} is loaded (line {}) and stored in place, and restore_value does not name "
                     "it: each trial of the tuner works on what the one before it left",
                     name, use.loaded->span.line));
  } else if (use.atomic != nullptr) {
    Warn(outline, "accumulates", *use.atomic, kernel.qualified_name,
         fmt::format("{} is changed by atomics, and neither reset_to_zero nor restore_value names "
                     "it: trials of the tuner work on what earlier ones left",
                     name));
  }
}

}  // namespace

void WarnOfInPlace(const WarningInput& input, Outline& outline) {
  KernelBodies bodies(input.names, input.kernels);
  for (const KernelInfo& kernel : outline.kernels) {
    if (kernel.autotune == nullptr)
      continue;
    const AutotuneInfo& tuned = *kernel.autotune;
    std::string names;
    for (const auto& word : tuned.reset_to_zero.words) {
      if (kernel.Parameter(word.text) != nullptr)
        names += (names.empty() ? "" : ", ") + word.text;
    }
    if (!names.empty()) {
      Warn(outline, "reset-lost", *tuned.reset_to_zero.node, kernel.qualified_name,
           fmt::format("reset_to_zero zeroes {} before trials only: a kernel that is pinned, or "
                       "has one configuration, gets what the caller left there",
                       names));
    }
    if (!IsTried(tuned) || HasHook(tuned) || !tuned.restore_value.known ||
        !tuned.reset_to_zero.known)
      continue;
    for (const auto& [name, use] : bodies.Of(*kernel.definition).uses) {
      if (!Lists(tuned.restore_value, name) && !Lists(tuned.reset_to_zero, name))
        WarnOfUse(kernel, name, use, outline);
    }
  }
}

}  // namespace croq::source
