#include "croq/source/made_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/source/literal.h"

namespace croq::source {

bool IsDefinedAt(const Node& definition, std::string_view function, int line) {
  const Node* first = definition.Child(Field::kDecorators);
  return definition.text == function &&
         (line == definition.span.line || (first != nullptr && line == first->span.line));
}

Result<MadeList> MadeListOf(const SyntaxTree& tree, const Autotuned& autotuned,
                            const std::vector<MadeList>& lists) {
  std::vector<const MadeList*> meant;
  for (const MadeList& list : lists) {
    if (autotuned.kernel != nullptr && IsDefinedAt(*autotuned.kernel, list.function, list.line))
      meant.push_back(&list);
  }
  const auto named = std::find_if(meant.begin(), meant.end(), [&](const MadeList* list) {
    return list->name == autotuned.qualified;
  });
  if (named != meant.end())
    return **named;
  if (meant.size() == 1)
    return *meant.front();
  return WrongAt(tree, autotuned.place(),
                 fmt::format("importing the file does not show {} autotuner of '{}': give the "
                             "configuration with --config",
                             meant.empty() ? "the" : "which of several is this", autotuned.name));
}

}  // namespace croq::source
