#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace croq::testing {

/// An interpreter for the fakes: any python3.
inline std::filesystem::path AnyPython() {
  for (const char* path : {"/usr/bin/python3", "/usr/local/bin/python3"}) {
    if (std::filesystem::exists(path))
      return path;
  }
  return std::filesystem::path(CROQ_SOURCE_DIR) / ".venv/bin/python";
}

/// The interpreter that has Triton: CROQ_PYTHON, or .venv's; empty where there is none.
inline std::filesystem::path TritonPython() {
  const char* named = std::getenv("CROQ_PYTHON");
  const std::filesystem::path path =
      named != nullptr ? named : std::filesystem::path(CROQ_SOURCE_DIR) / ".venv/bin/python";
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

}  // namespace croq::testing
