#include "croq/source/config_options.h"

#include <algorithm>
#include <utility>

namespace croq::source {
namespace {

constexpr std::string_view kAmd[] = {"waves_per_eu",     "matrix_instr_nonkdim",
                                     "kpack",            "schedule_hint",
                                     "instruction_sched_variant", "allow_flush_denorm",
                                     "slice_k_tiles",    "instruction_sched"};
constexpr std::string_view kNvidia[] = {"maxnreg",          "launch_pdl",
                                        "launch_cooperative_grid", "enable_fp_fusion",
                                        "ptx_version",      "ptx_options",
                                        "max_num_imprecise_acc_default"};

/// triton.Config's own today (3.4 to 3.6; ir_override since 3.5).
constexpr std::string_view kToday[] = {"num_warps", "num_stages", "num_ctas", "maxnreg",
                                       "ir_override"};

/// From the histories of python/triton/runtime/autotuner.py.
constexpr std::pair<std::string_view, std::string_view> kPast[] = {
    {"meta", "its first argument's name until Triton 2.0; it is `kwargs` now"},
    {"enable_warp_specialization", "known to Triton 2.1 to 3.1 alone; use tl.range(..., "
                                   "warp_specialize=True)"},
    {"enable_persistent", "known to Triton 2.1 alone"},
    {"num_consumer_groups", "known to builds around Triton 3.2 and 3.3 with automatic warp "
                            "specialization alone; use tl.range(..., warp_specialize=True)"},
    {"num_buffers_warp_spec", "known to builds around Triton 3.2 and 3.3 with automatic warp "
                              "specialization alone; use tl.range(..., warp_specialize=True)"},
    {"reg_dec_producer", "known to builds around Triton 3.2 and 3.3 with automatic warp "
                         "specialization alone"},
    {"reg_inc_consumer", "known to builds around Triton 3.2 and 3.3 with automatic warp "
                         "specialization alone"},
    {"minRegAutoWS", "known to Meta's builds of Triton alone"},
    {"maxRegAutoWS", "known to Meta's builds of Triton alone"},
    {"pingpongAutoWS", "known to Meta's builds of Triton alone"},
    {"ctas_per_cga", "known to Meta's builds of Triton alone"},
};

template <std::size_t N>
bool Among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace

Backend BackendOfOption(std::string_view name) {
  if (Among(kAmd, name))
    return Backend::kAmd;
  return Among(kNvidia, name) ? Backend::kNvidia : Backend::kNone;
}

bool IsLaunchOption(std::string_view name) {
  return Among(kToday, name);
}

std::string HistoryOfOption(std::string_view name) {
  if (Among(kToday, name))
    return {};
  for (const auto& [word, history] : kPast) {
    if (word == name)
      return std::string(history);
  }
  if (BackendOfOption(name) != Backend::kNone)
    return "an option of one back end; it belongs into the configuration's dict";
  return "no Triton that croq knows takes it";
}

}  // namespace croq::source
