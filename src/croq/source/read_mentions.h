#pragma once

#include "croq/source/read_kernels.h"

namespace croq::source {

/// Inside the module: fills outline.descriptors and device_reads.
void ReadMentions(const SyntaxTree& tree, const Names& names, const Kernels& kernels,
                  Outline& outline);

/// Whether the node runs when the module is imported: outside functions and lambdas (their
/// decorators and defaults run), and not under `if __name__ == "__main__"`.
bool RunsAtImport(const SyntaxTree& tree, const Node& node);

}  // namespace croq::source
