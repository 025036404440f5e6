#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "croq/source/names.h"
#include "croq/source/syntax.h"

/// What a Triton file holds: kernels and how they are tuned, who launches them and how. Read from
/// the tree alone; nothing of the file is run.
namespace croq::source {

/// A literal of the file, or a value that follows from literals alone (a comprehension over literal
/// lists). The first alternative is None.
using Literal = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

std::string ToText(const Literal& literal);  ///< as Python writes it

/// `name: value` of a dict, `name=value` of a call.
struct Setting {
  std::string name;
  const Node* node = nullptr;      ///< the value
  std::optional<Literal> literal;  ///< nothing where it is only known at run time
};

/// A list of names: key, reset_to_zero, restore_value.
struct WordList {
  struct Word {
    std::string text;
    const Node* node = nullptr;
  };
  const Node* node = nullptr;  ///< what was given; null: nothing was
  std::vector<Word> words;
  bool known = true;           ///< every word could be read
};

/// One triton.Config.
struct ConfigInfo {
  const Node* node = nullptr;    ///< the call; one of a comprehension makes several configs
  std::vector<Setting> kwargs;   ///< values of the kernel's parameters, in order
  std::vector<Setting> options;  ///< num_warps, num_stages, num_ctas, maxnreg, ir_override, ...
  const Node* pre_hook = nullptr;
  bool known = true;             ///< every name and value could be read (pre_hook aside)
};

/// How the list of configs is given at the autotune call.
enum class ConfigsForm { kNone, kLiteral, kComprehension, kProduct, kCall, kName, kExpression };

struct AutotuneInfo {
  const Node* call = nullptr;     ///< triton.autotune(...)
  const Node* configs_node = nullptr;
  ConfigsForm form = ConfigsForm::kNone;
  std::string configs_from;       ///< of kName and kCall: the name
  std::vector<ConfigInfo> configs;
  bool configs_known = false;     ///< `configs` is the whole list (a pruner may still change it)
  WordList key;
  WordList reset_to_zero;
  WordList restore_value;
  /// prune_configs_by, pre_hook, post_hook, warmup, rep, use_cuda_graph, do_bench, cache_results
  /// and whatever else is given; in order.
  std::vector<Setting> options;
  /// early_config_prune, perf_model, top_k of a literal prune_configs_by.
  std::vector<Setting> prune;

  const Setting* Option(std::string_view name) const;
  const Setting* Prune(std::string_view name) const;
};

struct HeuristicsInfo {
  const Node* call = nullptr;
  std::vector<Setting> values;  ///< parameter: function
  bool known = true;
};

enum class DecoratorKind { kJit, kAutotune, kHeuristics, kOther };

/// One layer around a kernel's function, put there by `@` or by a call.
struct DecoratorInfo {
  const Node* node = nullptr;  ///< the decorator expression; for a call, the call that applies it
  DecoratorKind kind = DecoratorKind::kOther;
  std::string name;            ///< aliases followed; the text where that fails
  bool by_call = false;        ///< `f = triton.jit(f)`
};

struct ParameterInfo {
  std::string name;
  const Node* node = nullptr;           ///< kArg
  const Node* default_value = nullptr;
  std::string annotation;               ///< its text
  bool is_constexpr = false;
  bool keyword_only = false;
};

/// A kernel as something that can be launched. One function that is decorated by several calls
/// stands here several times.
struct KernelInfo {
  const Node* definition = nullptr;       ///< FunctionDef
  std::string name;                       ///< what it is called: the function's, or the variable's
  std::string qualified_name;             ///< Class.f, outer.<locals>.f, the variable's alike
  std::vector<DecoratorInfo> decorators;  ///< outermost first
  std::vector<ParameterInfo> parameters;
  const AutotuneInfo* autotune = nullptr;             ///< the outermost: inner ones are ignored
  std::vector<const AutotuneInfo*> autotunes;         ///< outermost first
  std::vector<const HeuristicsInfo*> heuristics;      ///< outermost first
  bool called_by_kernels = false;         ///< another kernel of the file calls it

  const ParameterInfo* Parameter(std::string_view wanted) const;
  /// The node that made it: the definition, or the outermost call.
  const Node* made = nullptr;
};

enum class LaunchForm {
  kSubscript,  ///< kernel[grid](...)
  kFn,         ///< kernel.fn[grid](...): past the autotuner
  kRun,        ///< kernel.run(..., grid=...), kernel.warmup
  kWrapped,    ///< wrap(kernel)[grid](...), partial(kernel[grid], ...), bound = kernel[grid]
};

enum class GridKind { kTuple, kLambda, kFunction, kName, kExpression };

struct LaunchSite {
  const Node* call = nullptr;
  std::string target;                      ///< text of what is launched
  std::vector<const KernelInfo*> kernels;  ///< of this file; empty: it comes from elsewhere
  LaunchForm form = LaunchForm::kSubscript;
  const Node* grid = nullptr;              ///< as written; null where none is seen
  const Node* grid_value = nullptr;        ///< the tuple, lambda or FunctionDef, names followed
  GridKind grid_kind = GridKind::kExpression;
  std::vector<const Node*> positional;
  std::vector<Setting> keywords;           ///< name empty: `**x`
  const Node* function = nullptr;          ///< innermost def around it; null: module level

  const KernelInfo* kernel() const { return kernels.empty() ? nullptr : kernels.front(); }
};

/// A function that launches.
struct LauncherInfo {
  const Node* definition = nullptr;
  std::string qualified_name;
  std::vector<const LaunchSite*> sites;
};

/// A place that is only listed: a tensor descriptor that is made, a device property that is read.
struct Mention {
  const Node* node = nullptr;
  std::string what;       ///< aliases followed
  bool at_import = false; ///< runs when the module is imported
};

struct Warning {
  std::string code;       ///< docs/outline.md lists them
  int line = 1;
  int column = 0;         ///< in bytes from 0
  std::string kernel;     ///< qualified name; empty: of the file
  std::string message;
};

/// Moves, but is not copied: its parts point at one another and at the tree.
struct Outline {
  Outline() = default;
  Outline(Outline&&) = default;
  Outline& operator=(Outline&&) = default;

  std::deque<KernelInfo> kernels;  ///< as the file reads
  std::deque<AutotuneInfo> autotunes;
  std::deque<HeuristicsInfo> heuristics;
  std::deque<LaunchSite> launch_sites;
  std::vector<LauncherInfo> launchers;
  std::vector<Mention> descriptors;
  std::vector<Mention> device_reads;
  std::vector<Warning> warnings;   ///< sorted by place
};

struct OutlineOptions {
  /// Values of parameters by name, for what depends on the size (offsets beyond 31 bits).
  std::vector<std::pair<std::string, std::int64_t>> shape;
};

Outline MakeOutline(const SyntaxTree& tree, const Names& names, const OutlineOptions& options = {});

/// `Class.f`, `outer.<locals>.f`.
std::string QualifiedName(const Node& definition);

}  // namespace croq::source
