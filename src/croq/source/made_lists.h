#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/source/autotuned.h"
#include "croq/source/pin_config.h"
#include "croq/source/syntax.h"

/// Configurations that only running the file shows: somebody else imports it, and this is what its
/// autotuners held then.
namespace croq::source {

/// An import tells of so many configurations of an autotuner (MAX_CONFIGS of the worker): where there
/// are as many there may be more.
constexpr std::size_t kMostMadeConfigs = 5000;

struct MadeConfig {
  PinConfig values;
  bool pre_hook = false;
  std::string problem;  ///< why it can't be written into a file; empty: it can
};

/// The list of one autotuner.
struct MadeList {
  std::string name;      ///< path in the module: k, Class.k, table['a']
  std::string function;  ///< the kernel's function
  int line = 0;          ///< of its first decorator, or of its def
  std::vector<MadeConfig> configs;
};

/// Imports the file that is being read; null where nothing may be run. Usage error where it can't be
/// imported.
using ReadMadeLists = std::function<Result<std::vector<MadeList>>()>;

/// Whether an import means this FunctionDef: Python counts a function from its first decorator.
bool IsDefinedAt(const Node& definition, std::string_view function, int line);

/// The list of this autotuner; usage error with the place where the import does not show it, or
/// shows several that it may be.
Result<MadeList> MadeListOf(const SyntaxTree& tree, const Autotuned& autotuned,
                            const std::vector<MadeList>& lists);

}  // namespace croq::source
