#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "croq/model/config.h"

namespace croq {

/// A compile-time constant of a kernel: a number, a word (eviction policy), a Triton type
/// ("tl.float16"), a truth value, or None (a null argument).
struct ConstexprValue {
  enum class Kind { kInt, kBool, kFloat, kString, kDType, kNone };
  Kind kind = Kind::kInt;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
};

/// One parameter of a kernel after Triton's specialisation rules (python/src/specialize.cc of 3.6).
struct KernelParameter {
  std::string name;
  std::string type;              ///< "*fp16", "i32", "tensordesc<fp16[128, 64]>", or "constexpr"
  bool divisible_by_16 = false;
  ConstexprValue value;          ///< where type is "constexpr"
};

/// What triton.compile needs to turn one kernel of a source file into a cubin.
struct CompileJob {
  std::string source_path;       ///< absolute; must stay on disk until the job is done
  std::string kernel;            ///< function name
  std::vector<KernelParameter> parameters;  ///< in parameter order
  std::map<std::string, std::int64_t> options;  ///< num_warps, num_stages, num_ctas, ...
  int compute_capability = 90;
  /// The compiler may decline it in silence; a build that it declined is a rejection.
  bool warp_specialize = false;
};

}  // namespace croq
