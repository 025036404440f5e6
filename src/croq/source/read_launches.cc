#include "croq/source/read_launches.h"

#include <algorithm>
#include <cctype>

#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

const Node* FunctionAround(const Node& node) {
  for (const Node* at = node.parent; at != nullptr; at = at->parent) {
    if (at->Is(Kind::kFunctionDef) || at->Is(Kind::kAsyncFunctionDef))
      return at;
  }
  return nullptr;
}

/// What `launch = kernel[grid]` holds, where a name is called that is bound so.
const Node* HeldSubscript(const Names& names, const Node& callee) {
  if (!callee.Is(Kind::kName))
    return nullptr;
  for (const Binding* binding : names.BindingsOf(callee)) {
    if (binding->value != nullptr && binding->value->Is(Kind::kSubscript))
      return binding->value;
  }
  return nullptr;
}

class LaunchReader {
 public:
  LaunchReader(const SyntaxTree& tree, const Names& names, const StaticValues& values,
               const Kernels& kernels, Outline& outline)
      : tree_(tree), names_(names), values_(values), kernels_(kernels), outline_(outline) {}

  void Read() {
    Walk(tree_.root(), [&](const Node& node) {
      if (kernels_.IsKernelBody(node)) {
        NoteCallsOf(node);
        return false;
      }
      if (node.Is(Kind::kCall))
        ReadCall(node);
      return true;
    });
    GatherLaunchers();
  }

 private:
  void NoteCallsOf(const Node& body) {
    Walk(body, [&](const Node& node) {
      if (!node.Is(Kind::kCall))
        return true;
      const Node& callee = *node.Child(Field::kFunc);
      if (!callee.Is(Kind::kName))
        return true;
      for (const KernelInfo* called : kernels_.Of(callee).kernels) {
        for (KernelInfo& kernel : outline_.kernels) {
          if (&kernel == called && kernel.definition != &body)
            kernel.called_by_kernels = true;
        }
      }
      return true;
    });
  }

  void ReadCall(const Node& call) {
    const Node& callee = *call.Child(Field::kFunc);
    if (callee.Is(Kind::kSubscript)) {
      ReadSubscript(call, callee, false);
    } else if (const Node* held = HeldSubscript(names_, callee)) {
      ReadSubscript(call, *held, true);
    } else if (callee.Is(Kind::kAttribute) && (callee.text == "run" || callee.text == "warmup")) {
      ReadRun(call, callee);
    } else if (CalledName(names_, call) == "functools.partial") {
      const Node* first = Argument(call, 0, "");
      if (first != nullptr && first->Is(Kind::kSubscript))
        ReadSubscript(call, *first, true);
    }
  }

  void ReadSubscript(const Node& call, const Node& subscript, bool held) {
    const Node& base = *subscript.Child(Field::kValue);
    const Node& grid = *subscript.Child(Field::kSlice);
    Kernels::Found found = kernels_.Of(base);
    if (found.kernels.empty() && (held || !LooksLikeLaunch(base, grid)))
      return;
    LaunchSite& site = Add(call, base, std::move(found));
    if (held)
      site.form = LaunchForm::kWrapped;
    SetGrid(grid, site);
    const bool partial = held && call.Child(Field::kFunc) != &subscript &&
                         Argument(call, 0, "") == &subscript;
    ReadArguments(call, partial ? 1 : 0, site);
  }

  void ReadRun(const Node& call, const Node& callee) {
    const Node& base = *callee.Child(Field::kValue);
    Kernels::Found found = kernels_.Of(base);
    const Node* grid = Argument(call, SIZE_MAX, "grid");
    if (found.kernels.empty() || grid == nullptr)
      return;
    LaunchSite& site = Add(call, base, std::move(found));
    site.form = LaunchForm::kRun;
    SetGrid(*grid, site);
    ReadArguments(call, 0, site);
  }

  /// A launch of a kernel that the file imports, or is handed: `ops.kernel[grid](...)`.
  bool LooksLikeLaunch(const Node& base, const Node& grid) const {
    if (!base.Is(Kind::kName) && !base.Is(Kind::kAttribute))
      return false;
    const std::string name = TritonName(names_, base);
    if (name.starts_with("builtins.") || name.starts_with("typing."))
      return false;
    std::string text(tree_.Text(grid));
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return grid.Is(Kind::kLambda) || text.find("grid") != std::string::npos ||
           (grid.Is(Kind::kTuple) && !name.empty() &&
            base.text.find("kernel") != std::string_view::npos);
  }

  LaunchSite& Add(const Node& call, const Node& base, Kernels::Found found) {
    LaunchSite& site = outline_.launch_sites.emplace_back();
    site.call = &call;
    site.target = tree_.Text(base);
    site.kernels = std::move(found.kernels);
    site.function = FunctionAround(call);
    if (found.through_fn)
      site.form = LaunchForm::kFn;
    if (found.through_wrapper)
      site.form = LaunchForm::kWrapped;
    return site;
  }

  void SetGrid(const Node& grid, LaunchSite& site) {
    site.grid = &grid;
    const Node* value = &grid;
    if (grid.Is(Kind::kName)) {
      // Of several the last one above the launch, as in `if ...: grid = ...; kernel[grid](...)`.
      for (const Binding* binding : names_.BindingsOf(grid)) {
        const bool above = binding->node->span.line <= grid.span.line;
        if (value != &grid && !above)
          continue;
        if (binding->value != nullptr)
          value = binding->value;
        else if (binding->node->Is(Kind::kFunctionDef))
          value = binding->node;
        else
          value = &grid;
      }
    }
    switch (value->kind) {
      case Kind::kTuple:
      case Kind::kList:
        site.grid_kind = GridKind::kTuple;
        break;
      case Kind::kLambda:
        site.grid_kind = GridKind::kLambda;
        break;
      case Kind::kFunctionDef:
        site.grid_kind = GridKind::kFunction;
        break;
      default:
        site.grid_kind = grid.Is(Kind::kName) ? GridKind::kName : GridKind::kExpression;
    }
    if (site.grid_kind != GridKind::kName && site.grid_kind != GridKind::kExpression)
      site.grid_value = value;
  }

  void ReadArguments(const Node& call, std::size_t skipped, LaunchSite& site) {
    for (const Node* child : call.children) {
      if (child->field == Field::kArgs) {
        if (skipped > 0) {
          --skipped;
        } else {
          site.positional.push_back(child);
        }
      } else if (child->field == Field::kKeywords) {
        const Node& value = *child->Child(Field::kValue);
        site.keywords.push_back({std::string(child->text), &value, values_.EvaluateLiteral(value)});
      }
    }
  }

  void GatherLaunchers() {
    for (const LaunchSite& site : outline_.launch_sites) {
      if (site.function == nullptr)
        continue;
      auto& launchers = outline_.launchers;
      const auto found = std::find_if(launchers.begin(), launchers.end(), [&](const auto& one) {
        return one.definition == site.function;
      });
      if (found == launchers.end()) {
        launchers.push_back({site.function, QualifiedName(*site.function), {&site}});
      } else {
        found->sites.push_back(&site);
      }
    }
  }

  const SyntaxTree& tree_;
  const Names& names_;
  const StaticValues& values_;
  const Kernels& kernels_;
  Outline& outline_;
};

}  // namespace

void ReadLaunches(const SyntaxTree& tree, const Names& names, const StaticValues& values,
                  const Kernels& kernels, Outline& outline) {
  LaunchReader(tree, names, values, kernels, outline).Read();
}

}  // namespace croq::source
