#include "croq/source/triton_names.h"

#include <algorithm>

namespace croq::source {
namespace {

constexpr std::string_view kTriton = "triton";
constexpr std::string_view kLanguage = "triton.language";

bool EndsIn(std::string_view name, std::string_view last) {
  return name.starts_with("triton.") && name.size() > last.size() && name.ends_with(last) &&
         name[name.size() - last.size() - 1] == '.';
}

bool IsTritons(std::string_view name) {
  return name == kTriton || name.starts_with("triton.");
}

/// Where a component of the dotted name starts; npos where there is none.
std::size_t FindComponent(std::string_view name, std::string_view component) {
  for (std::size_t at = name.find(component); at != std::string_view::npos;
       at = name.find(component, at + 1)) {
    const std::size_t end = at + component.size();
    if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.'))
      return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string CanonicalName(std::string name) {
  if (IsTritons(name))
    return name;
  if (const std::size_t at = FindComponent(name, "tl"); at != std::string::npos && at > 0)
    return std::string(kLanguage) + name.substr(at + 2);
  // A folder of that name lies in the middle of many packages; what counts is what comes after it.
  if (const std::size_t at = name.rfind(".triton."); at != std::string::npos) {
    const std::string rest = name.substr(at + 1);
    for (const bool known : {IsJit(rest), IsAutotune(rest), IsHeuristics(rest), IsConfig(rest)}) {
      if (known && std::count(rest.begin(), rest.end(), '.') == 1)
        return rest;
    }
    if (rest.starts_with("triton.language.") || rest == "triton.cdiv" ||
        rest == "triton.next_power_of_2" || rest.starts_with("triton.runtime."))
      return rest;
  }
  return name;
}

std::string TritonName(const Names& names, const Node& expression) {
  std::string first;
  for (std::string& name : names.ResolveAll(expression)) {
    std::string canonical = CanonicalName(std::move(name));
    if (IsTritons(canonical))
      return canonical;
    if (first.empty())
      first = std::move(canonical);
  }
  return first;
}

bool IsJit(std::string_view name) {
  return EndsIn(name, "jit");
}
bool IsAutotune(std::string_view name) {
  return EndsIn(name, "autotune");
}
bool IsHeuristics(std::string_view name) {
  return EndsIn(name, "heuristics");
}
bool IsConfig(std::string_view name) {
  return EndsIn(name, "Config");
}

std::string_view LanguageName(std::string_view name) {
  for (const std::string_view module :
       {std::string_view("triton.language."), std::string_view("triton.experimental.gluon.language.")}) {
    if (name.starts_with(module))
      return name.substr(name.rfind('.') + 1);
  }
  return {};
}

std::string CalledName(const Names& names, const Node& node) {
  const Node* callee = node.Is(Kind::kCall) ? node.Child(Field::kFunc) : nullptr;
  return callee == nullptr ? std::string() : TritonName(names, *callee);
}

const Node* Argument(const Node& call, std::size_t position, std::string_view keyword) {
  std::size_t at = 0;
  for (const Node* child : call.children) {
    if (child->field == Field::kArgs) {
      if (child->Is(Kind::kStarred))
        return nullptr;  // positions behind it are not known
      if (at++ == position)
        return child;
    } else if (child->field == Field::kKeywords && !keyword.empty() && child->text == keyword) {
      return child->Child(Field::kValue);
    }
  }
  return nullptr;
}

}  // namespace croq::source
