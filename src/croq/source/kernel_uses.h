#pragma once

#include <string>
#include <vector>

#include "croq/source/autotuned.h"
#include "croq/source/names.h"
#include "croq/source/syntax.h"

/// What a file does with an autotuned kernel, seen from the kernel: every place that gets at it.
namespace croq::source {

enum class UseKind {
  kLaunch,   ///< a call that launches through the autotuner: node is the call
  kWarmup,   ///< kernel.warmup(...): compiles, and gives a list back; node is the call
  kBypass,   ///< `.fn` past the autotuner: node is the attribute whose `.fn` leads past it
  kBest,     ///< kernel.best_config: node is the attribute
  kReads,    ///< something that only the autotuner has (configs, cache...)
  kEscapes,  ///< the kernel is handed on, so that its launches can't all be seen
};

struct Use {
  UseKind kind = UseKind::kEscapes;
  const Node* node = nullptr;
};

/// Uses of a group of autotuned definitions that share a name (the branches of an `if`), in the
/// order of the file. A name that may also stand for something else counts as kEscapes.
std::vector<Use> UsesOf(const SyntaxTree& tree, const Names& names,
                        const std::vector<Autotuned>& group);

/// Whether a decorator passes launches and attributes on unchanged.
bool IsTransparent(const Names& names, const Node& decorator);
/// Whether a decorator is triton.heuristics(...): it has a `.fn` of its own.
bool IsHeuristics(const Names& names, const Node& decorator);

}  // namespace croq::source
