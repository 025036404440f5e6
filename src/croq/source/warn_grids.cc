#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "croq/source/kernel_body.h"
#include "croq/source/outline_warnings.h"

/// Launches that do not fit their kernel's configurations.
namespace croq::source {
namespace {

/// Whether the configurations give the parameter different values, or may do.
bool Varies(const AutotuneInfo& tuned, std::string_view parameter) {
  std::set<std::string> values;
  bool open = false;
  for (const ConfigInfo& config : tuned.configs) {
    for (const Setting& setting : config.kwargs) {
      if (setting.name == parameter) {
        open = open || !setting.literal;
        values.insert(setting.literal ? ToText(*setting.literal) : "");
      }
    }
  }
  return values.size() > 1 || (open && !values.empty());
}

/// Whether a grid function's body can come to depend on META[parameter].
bool DependsOn(const Node& function, std::string_view parameter) {
  const auto names = ParameterNames(function);
  if (names.empty())
    return false;
  bool depends = false;
  Walk(function, [&](const Node& node) {
    if (!node.Is(Kind::kName) || node.text != names.front())
      return !depends;
    const Node& parent = *node.parent;
    const Node* key = parent.Is(Kind::kSubscript) ? parent.Child(Field::kSlice) : nullptr;
    depends = depends || key == nullptr || !key->IsString() || key->text == parameter;
    return true;
  });
  return depends;
}

bool GridIgnores(const LaunchSite& site, std::string_view parameter) {
  switch (site.grid_kind) {
    case GridKind::kTuple:
      return true;  // made before the configuration is chosen
    case GridKind::kLambda:
    case GridKind::kFunction:
      return site.grid_value != nullptr && !DependsOn(*site.grid_value, parameter);
    default:
      return false;
  }
}

bool Passes(const KernelInfo& kernel, const LaunchSite& site, std::string_view parameter) {
  for (const Setting& keyword : site.keywords) {
    if (keyword.name.empty() || keyword.name == parameter)
      return true;
  }
  const auto at = std::find_if(kernel.parameters.begin(), kernel.parameters.end(),
                               [&](const auto& one) { return one.name == parameter; });
  return static_cast<std::size_t>(at - kernel.parameters.begin()) < site.positional.size();
}

void WarnOfConflicts(const KernelInfo& kernel, const LaunchSite& site, Outline& outline) {
  std::set<std::string> set;
  for (const ConfigInfo& config : kernel.autotune->configs) {
    for (const Setting& setting : config.kwargs) set.insert(setting.name);
  }
  for (const Setting& keyword : site.keywords) {
    if (set.contains(keyword.name)) {
      Warn(outline, "conflict", *keyword.node, kernel.qualified_name,
           fmt::format("{} is passed here and set by the configurations of {}: Triton refuses the "
                       "launch (\"Conflicting meta-parameters\")",
                       keyword.name, kernel.name));
    }
  }
}

void WarnOfSite(const KernelInfo& kernel, const LaunchSite& site, const KernelBody& body,
                Outline& outline) {
  if (body.asks_for_the_grid)
    return;
  for (const ProgramStep& step : body.steps) {
    if (body.loop_steps.contains(step.parameter) || !Varies(*kernel.autotune, step.parameter) || Passes(kernel, site, step.parameter) ||
        !GridIgnores(site, step.parameter))
      continue;
    Warn(outline, "grid", *site.grid, kernel.qualified_name,
         fmt::format("the grid does not depend on {0}, which the configurations of {1} vary and "
                     "line {2} multiplies with program_id({3}): with some of them parts are left "
                     "out or computed twice; make it `lambda META: (... META[\"{0}\"] ...)`",
                     step.parameter, kernel.name, step.node->span.line, step.axis));
    return;
  }
}

}  // namespace

void WarnOfGrids(const WarningInput& input, Outline& outline) {
  KernelBodies bodies(input.names, input.kernels);
  for (const LaunchSite& site : outline.launch_sites) {
    if (site.grid == nullptr || site.form == LaunchForm::kFn)
      continue;
    for (const KernelInfo* kernel : site.kernels) {
      if (kernel->autotune == nullptr)
        continue;
      WarnOfConflicts(*kernel, site, outline);
      WarnOfSite(*kernel, site, bodies.Of(*kernel->definition), outline);
    }
  }
}

}  // namespace croq::source
