#pragma once

#include <map>
#include <string>

#include "croq/model/launch_plan.h"

namespace croq::tune {

/// Deletes cubins that no candidate needs any more, so that disk stays flat over a long session.
/// Candidates with equal code share one file, so holders are counted.
class CubinStore {
 public:
  void Hold(const LaunchPlan& plan);
  /// Once for each Hold; the file goes with its last holder.
  void Release(const LaunchPlan& plan);

 private:
  std::map<std::string, int> holders_;  ///< by path
};

}  // namespace croq::tune
