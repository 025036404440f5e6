#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "croq/source/int_ranges.h"
#include "croq/source/outline_warnings.h"
#include "croq/source/triton_names.h"

/// Offsets that leave 32 bits at the shape that was asked for.
namespace croq::source {
namespace {

constexpr std::size_t kMostPerKernel = 4;

class OverflowReader {
 public:
  OverflowReader(const WarningInput& input, Outline& outline)
      : input_(input), outline_(outline), bodies_(input.names, input.kernels) {
    for (const auto& [name, value] : input.options.shape)
      largest_ = std::max(largest_, static_cast<double>(value));
  }

  void Read() {
    std::set<const Node*> done;
    for (const KernelInfo& kernel : outline_.kernels) {
      if (done.insert(kernel.definition).second)
        ReadKernel(kernel);
    }
  }

 private:
  std::optional<double> Asked(std::string_view name) const {
    for (const auto& [asked, value] : input_.options.shape) {
      if (asked == name)
        return static_cast<double>(value);
    }
    return std::nullopt;
  }

  void ReadKernel(const KernelInfo& kernel) {
    const KernelBody& body = bodies_.Of(*kernel.definition);
    guessed_ = false;
    IntRanges ranges(
        input_.names,
        [&](std::string_view name) { return RangeOf(kernel, body, name); },
        [&](int axis) { return Programs(kernel, axis); }, largest_);
    std::vector<std::pair<const Node*, double>> found;
    std::set<std::string_view> told;
    ranges.Run(*kernel.definition, [&](const Node& node, const IntRange& range) {
      if (told.insert(input_.tree.Text(node)).second)
        found.emplace_back(&node, std::max(range.high, -range.low));
    });
    for (std::size_t i = 0; i < std::min(found.size(), kMostPerKernel); ++i) {
      const auto& [node, high] = found[i];
      Warn(outline_, "int32-overflow", *node, kernel.qualified_name,
           fmt::format("`{}` can reach {:.3g} at this shape, beyond the 32 bits that it is "
                       "computed in; cast one side to tl.int64{}",
                       input_.tree.Text(*node), high,
                       guessed_ ? fmt::format(" (what the shape does not name is taken to be up "
                                              "to {:g}, its largest)",
                                              largest_)
                                : ""));
    }
  }

  /// A parameter: what was asked, the largest of the configurations, its default, else any number
  /// up to the largest of the shape. Addresses have no range.
  std::optional<IntRange> RangeOf(const KernelInfo& kernel, const KernelBody& body,
                                  std::string_view name) {
    if (body.uses.contains(name))
      return std::nullopt;
    const ParameterInfo& parameter = *kernel.Parameter(name);
    if (const auto asked = Asked(name)) {
      return IntRange{*asked, *asked, *asked >= 2147483648.0, false, parameter.is_constexpr};
    }
    std::optional<double> high;
    double low = HUGE_VAL;
    for (const AutotuneInfo* tuned : kernel.autotunes) {
      for (const ConfigInfo& config : tuned->configs) {
        for (const Setting& setting : config.kwargs) {
          const auto* value =
              setting.literal ? std::get_if<std::int64_t>(&*setting.literal) : nullptr;
          if (setting.name != name || value == nullptr)
            continue;
          high = std::max(high.value_or(0), static_cast<double>(*value));
          low = std::min(low, static_cast<double>(*value));
        }
      }
    }
    if (high)
      return IntRange{low, *high, false, false, true};
    if (parameter.is_constexpr) {
      const auto value = parameter.default_value == nullptr
                             ? std::nullopt
                             : input_.values.EvaluateLiteral(*parameter.default_value);
      const auto* number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
      if (number == nullptr)
        return std::nullopt;
      const auto real = static_cast<double>(*number);
      return IntRange{real, real, false, false, true};
    }
    guessed_ = true;
    return IntRange{0, largest_, false, false, false};
  }

  /// The programs of an axis, where every launch's grid says so in terms of the shape.
  IntRange Programs(const KernelInfo& kernel, int axis) {
    std::optional<double> most;
    for (const LaunchSite& site : outline_.launch_sites) {
      if (std::find(site.kernels.begin(), site.kernels.end(), &kernel) == site.kernels.end())
        continue;
      const auto size = GridSize(kernel, site, axis);
      if (!size)
        return Unknown();
      most = std::max(most.value_or(0), *size);
    }
    if (!most)
      return Unknown();
    return {0, std::max(*most - 1, 0.0), false, false, false};
  }

  IntRange Unknown() {
    guessed_ = true;
    return {0, std::max(largest_ - 1, 0.0), false, true, false};
  }

  std::optional<double> GridSize(const KernelInfo& kernel, const LaunchSite& site, int axis) const {
    const Node* grid = site.grid_value;
    if (grid != nullptr && grid->Is(Kind::kLambda))
      grid = grid->Child(Field::kBody);
    if (grid == nullptr || !(grid->Is(Kind::kTuple) || grid->Is(Kind::kList)))
      return std::nullopt;
    if (static_cast<std::size_t>(axis) >= grid->children.size())
      return 1;
    return HostValue(kernel, *grid->children[static_cast<std::size_t>(axis)]);
  }

  /// The most a host expression can be: names of the shape, cdiv, products, META's smallest.
  std::optional<double> HostValue(const KernelInfo& kernel, const Node& node) const {
    if (node.Is(Kind::kConstant) && node.constant == ConstantType::kInt)
      return static_cast<double>(node.integer);
    if (node.Is(Kind::kName))
      return Asked(node.text);
    if (node.Is(Kind::kSubscript) && node.Child(Field::kSlice)->IsString())
      return SmallestOf(kernel, node.Child(Field::kSlice)->text);
    const bool division = CalledName(input_.names, node) == "triton.cdiv";
    const Node* first = division ? Argument(node, 0, "") : node.Child(Field::kLeft);
    const Node* second = division ? Argument(node, 1, "") : node.Child(Field::kRight);
    if (first == nullptr || second == nullptr || !(division || node.Is(Kind::kBinOp)))
      return std::nullopt;
    const auto left = HostValue(kernel, *first);
    const auto right = HostValue(kernel, *second);
    if (!left || !right)
      return std::nullopt;
    if (division)
      return *right > 0 ? std::optional(std::ceil(*left / *right)) : std::nullopt;
    if (node.text == "Mult")
      return *left * *right;
    return node.text == "Add" ? std::optional(*left + *right) : std::nullopt;
  }

  static std::optional<double> SmallestOf(const KernelInfo& kernel, std::string_view name) {
    std::optional<double> smallest;
    if (kernel.autotune == nullptr)
      return smallest;
    for (const ConfigInfo& config : kernel.autotune->configs) {
      for (const Setting& setting : config.kwargs) {
        const auto* value =
            setting.literal ? std::get_if<std::int64_t>(&*setting.literal) : nullptr;
        if (setting.name == name && value != nullptr)
          smallest = std::min(smallest.value_or(HUGE_VAL), static_cast<double>(*value));
      }
    }
    return smallest;
  }

  const WarningInput& input_;
  Outline& outline_;
  KernelBodies bodies_;
  double largest_ = 0;
  bool guessed_ = false;
};

}  // namespace

void WarnOfOverflow(const WarningInput& input, Outline& outline) {
  if (!input.options.shape.empty())
    OverflowReader(input, outline).Read();
}

}  // namespace croq::source
