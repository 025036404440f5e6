#include "croq/model/device.h"

#include <fmt/format.h>

namespace croq {
namespace {

bool IsPlain(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-';
}

}  // namespace

std::string MakeGpuKey(int compute_capability, const std::string& name) {
  std::string plain;
  for (const char c : name) {
    if (IsPlain(c)) {
      plain += c;
    } else if (!plain.empty() && plain.back() != '_') {
      plain += '_';
    }
  }
  while (!plain.empty() && plain.back() == '_') plain.pop_back();
  return fmt::format("sm{}_{}", compute_capability, plain);
}

}  // namespace croq
