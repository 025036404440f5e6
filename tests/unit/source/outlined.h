#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "croq/source/outline.h"
#include "support/parsed.h"

namespace croq::source {

/// A source with its outline.
struct Outlined {
  explicit Outlined(const std::string& source, const OutlineOptions& options = {})
      : tree(croq::testing::Parsed(source)), outline(MakeOutline(tree, Names(tree), options)) {}

  const KernelInfo& Kernel(const std::string& qualified_name) const {
    for (const KernelInfo& kernel : outline.kernels) {
      if (kernel.qualified_name == qualified_name)
        return kernel;
    }
    throw std::runtime_error("no kernel " + qualified_name);
  }

  /// `code@line` of each warning.
  std::vector<std::string> Warnings() const {
    std::vector<std::string> all;
    for (const Warning& warning : outline.warnings)
      all.push_back(warning.code + "@" + std::to_string(warning.line));
    return all;
  }

  SyntaxTree tree;
  Outline outline;
};

inline constexpr const char* kImports = "import triton, itertools\nimport triton.language as tl\n";

}  // namespace croq::source
