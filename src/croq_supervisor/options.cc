#include "croq_supervisor/options.h"

#include <charconv>
#include <cstring>
#include <string_view>

namespace croq::supervisor {
namespace {

bool ParseNumber(std::string_view text, std::int64_t& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && value >= 0;
}

}  // namespace

bool ParseOptions(int argc, char** argv, Options& options, std::string& problem) {
  std::int64_t lifeline = -1;
  int next = 1;
  for (; next < argc && std::strcmp(argv[next], "--") != 0; next += 2) {
    const std::string_view name = argv[next];
    std::int64_t* target = nullptr;
    if (name == "--lifeline-fd")
      target = &lifeline;
    if (name == "--memory-bytes")
      target = &options.memory_bytes;
    if (name == "--cpu-seconds")
      target = &options.cpu_seconds;
    if (name == "--file-bytes")
      target = &options.file_bytes;
    if (target == nullptr) {
      problem = "unknown option " + std::string(name);
      return false;
    }
    if (next + 1 >= argc || !ParseNumber(argv[next + 1], *target)) {
      problem = std::string(name) + " needs a number";
      return false;
    }
  }
  if (lifeline < 0 || next + 1 >= argc) {
    problem = lifeline < 0 ? "--lifeline-fd is missing" : "no command after --";
    return false;
  }
  options.lifeline_fd = static_cast<int>(lifeline);
  options.command = argv + next + 1;
  return true;
}

}  // namespace croq::supervisor
