#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "croq/contract/contract.h"

namespace croq::cli {

/// The numbers that a version starts with: `2.11.0+cu130` is {2, 11, 0}; empty where it has none.
std::vector<int> ParseVersion(std::string_view text);

/// Below 0: `a` is older; missing numbers count as 0.
int CompareVersions(std::string_view a, std::string_view b);

/// Whether `version` is of the release `prefix`: 3.6.1 is of 3.6, 3.60 is not.
bool IsOfRelease(std::string_view version, std::string_view prefix);

/// What the contract says of one installed package.
struct PackageVerdict {
  enum class Kind { kTested, kUntested, kTooOld, kMissing, kConflict };
  Kind kind = Kind::kTested;
  std::string found;   ///< `3.7.1, untested (tested: 3.6)`
  std::string remedy;  ///< where something must or may be done
};

/// `version` is empty where the package is not installed.
PackageVerdict JudgePackage(const contract::Package& package, std::string_view version);

/// Whether both packages are of versions that the contract says don't work together.
bool Conflicts(const contract::Conflict& conflict, std::string_view package_version,
               std::string_view with_version);

}  // namespace croq::cli
