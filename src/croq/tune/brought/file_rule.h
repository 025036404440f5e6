#pragma once

#include <string>

#include "croq/contract/contract.h"
#include "croq/source/syntax.h"

namespace croq::tune {

/// What the purity rule of iteration 1 says against a script whose launcher is `entry`, as one line
/// with its code and place; empty: nothing.
std::string FirstRuleBroken(const source::SyntaxTree& tree, const contract::Contract& contract,
                            const std::string& entry);

}  // namespace croq::tune
