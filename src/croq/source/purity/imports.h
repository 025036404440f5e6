#pragma once

#include <string>
#include <vector>

#include "croq/source/purity/scene.h"

/// Inside the module: imports, constants and annotations, which all zones ask about.
namespace croq::source::purity {

struct Import {
  std::string name;   ///< of the module, with its leading dots
  bool star = false;
};

/// What an Import or ImportFrom statement brings in, module by module.
std::vector<Import> ImportsOf(const Node& statement);

/// A number, a string, None, a type of torch, a constant of the module made of such; tuples of them.
bool IsPlainConstant(const Scene& scene, const Node& value, int depth = 0);

/// Notes what a `triton.Config(...)` carries beyond a configuration, and code that a call of any name
/// is given to run in a kernel's place.
void CheckConfig(Scene& scene, const Node& call, const Chain& chain);

/// Notes what would run where an annotation of a parameter (or of `-> x`) is evaluated.
void CheckAnnotation(Scene& scene, const Node& annotated, const Chain& chain);

}  // namespace croq::source::purity
