#include "croq/source/outline.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/source/outline_warnings.h"
#include "croq/source/read_kernels.h"
#include "croq/source/read_launches.h"
#include "croq/source/read_mentions.h"

namespace croq::source {

std::string ToText(const Literal& literal) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const {
      const std::string text = fmt::format("{}", value);
      return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    std::string operator()(const std::string& value) const {
      std::string text = "'";
      for (const char c : value) {
        if (c == '\'' || c == '\\')
          text += '\\';
        text += c == '\n' ? std::string("\\n") : std::string(1, c);
      }
      return text + "'";
    }
  };
  return std::visit(Visitor(), literal);
}

std::string QualifiedName(const Node& definition) {
  std::string name(definition.text);
  for (const Node* at = definition.parent; at != nullptr; at = at->parent) {
    if (at->Is(Kind::kFunctionDef) || at->Is(Kind::kAsyncFunctionDef)) {
      name = std::string(at->text) + ".<locals>." + name;
    } else if (at->Is(Kind::kClassDef)) {
      name = std::string(at->text) + "." + name;
    }
  }
  return name;
}

const ParameterInfo* KernelInfo::Parameter(std::string_view wanted) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [wanted](const auto& one) { return one.name == wanted; });
  return found == parameters.end() ? nullptr : &*found;
}

Outline MakeOutline(const SyntaxTree& tree, const Names& names, const OutlineOptions& options) {
  Outline outline;
  const StaticValues values(tree, names);
  const Kernels kernels(tree, names, values, outline);
  ReadLaunches(tree, names, values, kernels, outline);
  ReadMentions(tree, names, kernels, outline);
  AddWarnings({tree, names, values, kernels, options}, outline);
  return outline;
}

}  // namespace croq::source
