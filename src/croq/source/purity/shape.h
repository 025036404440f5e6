#pragma once

#include "croq/source/syntax.h"

/// Inside the module: whether a tree is one that Python could have made. The rules rely on the
/// children that each class of node has.
namespace croq::source::purity {

/// The first node that lacks a child, or stands where none like it does; null where all is well.
const Node* FindOddNode(const SyntaxTree& tree);

}  // namespace croq::source::purity
