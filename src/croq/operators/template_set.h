#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"

namespace croq::operators {

/// What one rendering puts into a template.
struct TemplateValues {
  std::map<std::string, std::string, std::less<>> texts;  ///< for {{NAME}}
  std::set<std::string, std::less<>> flags;               ///< true in `#@if NAME`
};

/// The templates of one operator: `<name>.py.in` files of one folder, read once. Directives stand
/// on lines of their own, so a template is still Python to an editor:
///   #@include NAME     the other template's lines, which may hold directives too
///   #@if NAME ... #@else ... #@end
///   {{NAME}}           a text, anywhere in a line
class TemplateSet {
 public:
  static Result<TemplateSet> Load(const std::filesystem::path& folder);

  /// Error that names template and line for an unknown text, include or an unbalanced directive.
  Result<std::string> Render(std::string_view name, const TemplateValues& values) const;

 private:
  Status Append(std::string_view name, const TemplateValues& values, int depth,
                std::string* output) const;

  std::filesystem::path folder_;
  std::map<std::string, std::vector<std::string>, std::less<>> lines_;  ///< by template name
};

}  // namespace croq::operators
