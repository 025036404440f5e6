#include "croq/cli/outline_report.h"

namespace croq::cli {

std::string FormWord(source::ConfigsForm form) {
  using enum source::ConfigsForm;
  switch (form) {
    case kNone:
      return "none given";
    case kLiteral:
      return "literal";
    case kComprehension:
      return "comprehension";
    case kProduct:
      return "product";
    case kCall:
      return "call";
    case kName:
      return "name";
    case kExpression:
      return "expression";
  }
  return "";
}

std::string FormWord(source::LaunchForm form) {
  using enum source::LaunchForm;
  switch (form) {
    case kSubscript:
      return "subscript";
    case kFn:
      return "fn";
    case kRun:
      return "run";
    case kWrapped:
      return "wrapped";
  }
  return "";
}

std::string GridWord(source::GridKind kind) {
  using enum source::GridKind;
  switch (kind) {
    case kTuple:
      return "tuple";
    case kLambda:
      return "lambda";
    case kFunction:
      return "function";
    case kName:
      return "name";
    case kExpression:
      return "expression";
  }
  return "";
}

std::string ConfigText(const source::SyntaxTree& tree, const source::ConfigInfo& config) {
  std::string text;
  for (const auto* settings : {&config.kwargs, &config.options}) {
    for (const source::Setting& setting : *settings) {
      text += (text.empty() ? "" : ", ") + setting.name + "=";
      text += setting.literal ? source::ToText(*setting.literal)
                              : std::string(tree.Text(*setting.node));
    }
  }
  if (config.pre_hook != nullptr)
    text += (text.empty() ? "pre_hook" : ", pre_hook");
  return text.empty() ? "(Triton's defaults)" : text;
}

}  // namespace croq::cli
