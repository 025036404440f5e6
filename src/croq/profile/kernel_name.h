#pragma once

#include <string>
#include <string_view>

#include "croq/base/result.h"

namespace croq::profile {

/// The function's own name in a demangled one: without return type, namespaces, template and call
/// arguments. `void at::<unnamed>::fill<float>(float *)` gives `fill`.
std::string_view BaseName(std::string_view printed);

/// For a terminal: control bytes as `\x1b`, so that a name can't steer it; `(no name)` where the
/// name is empty.
std::string ShownName(std::string_view name);

/// Text with its control bytes as `\x1b`; tabs stay.
std::string WithoutControls(std::string_view text);

/// How well a printed kernel name fits what was asked for; better fits are larger.
enum class Fit {
  kNone,
  kSpecialised,  ///< its base name is the one asked for with Triton 2's suffix: `add_0d1d2d`
  kBase,         ///< its base name is the one asked for
  kExact,        ///< the whole name, or a `regex:` that finds something in the base or whole name
};

/// What a caller asks for: a name, or `regex:EXPRESSION` (ECMAScript) as ncu's --kernel-name takes.
class NamePattern {
 public:
  /// Usage error where the expression is none.
  static Result<NamePattern> Parse(std::string_view asked);

  Fit FitOf(std::string_view printed) const;

 private:
  std::string name_;
  bool is_regex_ = false;
};

}  // namespace croq::profile
