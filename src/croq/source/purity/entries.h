#pragma once

#include <vector>

#include "croq/source/purity/hot.h"
#include "croq/source/purity/kernels.h"
#include "croq/source/purity/scene.h"

/// Inside the module: which functions are the launchers, and what they give back.
namespace croq::source::purity {

/// What the options, the CROQ table or the file's own names make the launchers.
struct Entries {
  /// What an entry is bound to that is no function: an expression, an import, a loop's target.
  struct Other {
    const Node* node = nullptr;
    bool leads_to_function = false;  ///< of the file: it stands among `functions`
  };

  std::vector<const Node*> functions;
  std::vector<const Node*> classes;  ///< whose objects are called
  std::vector<Other> others;
  std::vector<std::string> missing;  ///< names that were asked for and are not there
};

Entries FindEntries(const Scene& scene);

/// After the hot zone: that a launcher launches, that its kernels store, and that what it returns was
/// given to a kernel.
void CheckResult(Scene& scene, Hot& hot, const Kernels& kernels, const Node& entry);

}  // namespace croq::source::purity
