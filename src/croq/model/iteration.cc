#include "croq/model/iteration.h"

#include <fmt/format.h>

#include <algorithm>

namespace croq {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsTagCharacter(char c) { return IsLower(c) || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

std::string IterationName(int number) { return fmt::format("iter{:03}", number); }

std::string AttemptName(int number) { return fmt::format("attempt{:04}", number); }

bool IsValidTag(const std::string& tag) {
  return tag.size() >= 2 && tag.size() <= 31 && IsLower(tag.front()) &&
         std::all_of(tag.begin(), tag.end(), IsTagCharacter);
}

}  // namespace croq
