#pragma once

#include <span>
#include <string>
#include <string_view>

namespace croq {

/// The one of `known` that `word` was most likely meant to be: fewest edits (a swap of neighbours
/// is one), at most a third of its length; empty where none is near.
std::string Suggest(std::string_view word, std::span<const std::string> known);

}  // namespace croq
