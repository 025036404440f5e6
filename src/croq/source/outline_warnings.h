#pragma once

#include "croq/source/read_kernels.h"

/// Inside the module: what bites people. docs/outline.md has a line for each code.
namespace croq::source {

struct WarningInput {
  const SyntaxTree& tree;
  const Names& names;
  const StaticValues& values;
  const Kernels& kernels;
  const OutlineOptions& options;
};

/// Fills outline.warnings, sorted by place, each once.
void AddWarnings(const WarningInput& input, Outline& outline);

/// Puts a warning at a node.
void Warn(Outline& outline, std::string code, const Node& at, std::string kernel,
          std::string message);

// The kinds of them.
void WarnOfTuning(const WarningInput& input, Outline& outline);   ///< the autotune call itself
void WarnOfInPlace(const WarningInput& input, Outline& outline);  ///< what trials would spoil
void WarnOfGrids(const WarningInput& input, Outline& outline);
void WarnOfImport(const WarningInput& input, Outline& outline);   ///< top-level code and GPUs
void WarnOfOverflow(const WarningInput& input, Outline& outline); ///< at the asked shape

}  // namespace croq::source
