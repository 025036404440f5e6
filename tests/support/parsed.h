#pragma once

#include <string>

#include "croq/source/syntax.h"

/// Real syntax trees for tests, from the worker's own code in a Python that needs no Triton.
namespace croq::testing {

/// The worker's "parsed" reply as JSON text.
std::string ParsedReply(const std::string& bytes);

/// The tree of a source that parses; the test program ends where it doesn't.
source::SyntaxTree Parsed(const std::string& bytes, const std::string& path = "x.py");

/// The first node, in preorder, whose text in the file is `text` (of a statement that is only an
/// expression, the expression); the test program ends where there is none.
const source::Node& NodeWithText(const source::SyntaxTree& tree, const std::string& text);

}  // namespace croq::testing
