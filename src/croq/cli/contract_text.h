#pragma once

#include <string>

#include "croq/contract/contract.h"

namespace croq::cli {

/// The contract as a person reads it: every section, what croq adds marked with a +.
std::string FormatContract(const contract::Contract& contract);

}  // namespace croq::cli
