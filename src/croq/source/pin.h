#pragma once

#include <map>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/source/autotuned.h"
#include "croq/source/edit.h"
#include "croq/source/made_lists.h"
#include "croq/source/names.h"
#include "croq/source/pin_config.h"
#include "croq/source/syntax.h"

/// The contract's pin: the autotuner goes out of a file, one configuration's constants go in, and
/// every launch does what it did under the autotuner once that had settled on this configuration.
/// docs/pinning.md says what is kept how, and what is refused.
namespace croq::source {

struct PinRequest {
  /// A kernel's name, qualified name (Class.kernel) or `name:line` to its configuration. "" is the
  /// file's only autotuned kernel. Kernels that are not named keep their autotuner.
  PinConfigs configs;
  /// Instead: the configuration at this place of the kernel's own list; the key is as above.
  std::map<std::string, std::size_t> indexes;
  /// For `indexes`, asked only where a list can't be read; null: such a list is refused.
  ReadMadeLists made;
};

struct Pinned {
  std::string source;                  ///< the whole file
  std::vector<EditNote> edits;         ///< by place
  std::vector<std::string> warnings;   ///< what a person should know; each with its place
};

/// Usage error with `file:line:column`, the reason and what to do, where the pinned file would do
/// something else than the autotuned one: nothing is ever changed without a word.
Result<Pinned> Pin(const SyntaxTree& tree, const Names& names, const PinRequest& request);

/// `mm (line 12), Class.k (line 40)`; "none" where there is none.
std::string ListAutotuned(const std::vector<Autotuned>& all);

}  // namespace croq::source
