#include "support/fake_cuda_model.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace croq::fake {

Device& TheDevice() {
  // Never destroyed: the runner may still call while the process ends.
  static Device& device = *new Device;
  return device;
}

namespace {

void SetField(Kernel& kernel, const std::string& name, const std::string& value) {
  if (name == "ms")
    kernel.ms = std::stod(value);
  if (name == "does")
    kernel.does = value;
  if (name == "after")
    kernel.after = std::stoi(value);
  if (name == "threads")
    kernel.threads = std::stoi(value);
  if (name == "params") {
    std::istringstream sizes(value);
    for (std::string size; std::getline(sizes, size, ',');) {
      kernel.params.push_back(std::stoul(size));
    }
  }
}

}  // namespace

Module ParseModule(const std::string& text) {
  Module module;
  module.is_ptx = text.find(".version") != std::string::npos;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != "kernel")
      continue;
    Kernel kernel;
    words >> kernel.entry;
    while (words >> word) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos) {
        SetField(kernel, word.substr(0, equals), word.substr(equals + 1));
      }
    }
    module.kernels[kernel.entry] = kernel;
  }
  return module;
}

void Log(const std::string& line) {
  static std::FILE* const file = [] {
    const char* path = std::getenv("CROQ_FAKE_CUDA_LOG");
    return path != nullptr ? std::fopen(path, "a") : nullptr;
  }();
  if (file == nullptr)
    return;
  std::fprintf(file, "%s\n", line.c_str());
  std::fflush(file);
}

}  // namespace croq::fake
