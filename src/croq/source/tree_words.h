#pragma once

#include <optional>
#include <string_view>

#include "croq/source/syntax.h"

/// Inside the module: the words of CPython's `ast` for the enumerators of syntax.h.
namespace croq::source {

struct KindWord {
  std::string_view word;  ///< lives for ever
  Kind kind;
};

std::optional<KindWord> KindOfWord(std::string_view word);
std::optional<Field> FieldOfWord(std::string_view word);

}  // namespace croq::source
