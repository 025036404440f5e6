#pragma once

#include <algorithm>
#include <string_view>

namespace croq::source {

/// Whether `word` is one of `words`.
template <typename Words>
bool Holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace croq::source
