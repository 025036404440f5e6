#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace croq::cli {

/// A stream that a test reads back.
class OutputFile {
 public:
  OutputFile() : file_(std::tmpfile(), &std::fclose) {}

  std::FILE* get() const { return file_.get(); }

  /// All that was written so far.
  std::string Text() const {
    std::fflush(file_.get());
    std::rewind(file_.get());
    std::string text;
    for (int c = std::fgetc(file_.get()); c != EOF; c = std::fgetc(file_.get())) {
      text += static_cast<char>(c);
    }
    std::fseek(file_.get(), 0, SEEK_END);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace croq::cli
