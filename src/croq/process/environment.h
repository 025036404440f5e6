#pragma once

#include <map>
#include <string>
#include <vector>

namespace croq::process {

/// Variables of a child, whole: it sees these and no others.
using Environment = std::map<std::string, std::string>;

/// This process's own variables, as a base to change.
Environment CurrentEnvironment();

/// `NAME=value` strings in the form that exec wants.
std::vector<std::string> ToStrings(const Environment& environment);

}  // namespace croq::process
