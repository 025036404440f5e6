#pragma once

#include <string>

#include "croq/base/result.h"
#include "croq/contract/contract.h"
#include "croq/model/problem.h"
#include "croq/operators/template_set.h"
#include "croq/source/syntax.h"

namespace croq::tune {

/// What verify() and bench() of an appended harness call.
enum class HarnessSubject { kEntry, kReference };

/// Whether the file brings verify(), bench() and a main of its own, as the contract asks.
bool HasHarness(const source::SyntaxTree& tree);

/// The file of `tree` as a standalone script in the contract's words: verify(), bench() and a main
/// that print its lines are appended. A main of the file's own goes out, as it would run first and
/// print what it likes. `templates`: python/operators/brought.
Result<std::string> WithHarness(const source::SyntaxTree& tree, const Problem& problem,
                                const contract::Contract& contract,
                                const operators::TemplateSet& templates, HarnessSubject subject);

}  // namespace croq::tune
