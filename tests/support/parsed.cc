#include "support/parsed.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "croq/base/base64.h"
#include "support/python.h"

namespace croq::testing {
namespace {

[[noreturn]] void Give(const std::string& why) {
  std::cerr << why << std::endl;
  std::abort();
}

/// One Python for the whole test program; it ends when its input does.
class ParseProcess {
 public:
  ParseProcess() {
    int down[2];
    int up[2];
    if (pipe(down) != 0 || pipe(up) != 0)
      Give("no pipe");
    const pid_t child = fork();
    if (child == 0) {
      dup2(down[0], 0);
      dup2(up[1], 1);
      for (const int fd : {down[0], down[1], up[0], up[1]}) close(fd);
      setenv("PYTHONPATH", CROQ_SOURCE_DIR "/python", 1);
      setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
      const std::string python = AnyPython().string();
      execl(python.c_str(), python.c_str(), CROQ_SOURCE_DIR "/tests/support/parse_lines.py",
            nullptr);
      _exit(127);
    }
    close(down[0]);
    close(up[1]);
    to_ = fdopen(down[1], "w");
    from_ = fdopen(up[0], "r");
  }

  std::string Ask(const std::string& line) {
    std::fputs((line + "\n").c_str(), to_);
    std::fflush(to_);
    char* text = nullptr;
    std::size_t room = 0;
    const ssize_t length = getline(&text, &room, from_);
    if (length <= 0)
      Give("the parsing Python is gone");
    std::string reply(text, static_cast<std::size_t>(length));
    std::free(text);
    return reply;
  }

 private:
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace

std::string ParsedReply(const std::string& bytes) {
  static ParseProcess process;
  return process.Ask(EncodeBase64(bytes));
}

source::SyntaxTree Parsed(const std::string& bytes, const std::string& path) {
  const auto reply = nlohmann::json::parse(ParsedReply(bytes));
  if (!reply["ok"].get<bool>())
    Give("not parsed: " + reply["message"].get<std::string>() + "\n" + bytes);
  auto tree = source::SyntaxTree::Load(reply["tree"], bytes, path);
  if (!tree)
    Give(tree.error().message);
  return std::move(*tree);
}

const source::Node& NodeWithText(const source::SyntaxTree& tree, const std::string& text) {
  const source::Node* found = nullptr;
  source::Walk(tree.root(), [&](const source::Node& node) {
    if (found == nullptr && !node.Is(source::Kind::kModule) &&
        !node.Is(source::Kind::kExpr) && tree.Text(node) == text)
      found = &node;
    return found == nullptr;
  });
  if (found == nullptr)
    Give("no node reads '" + text + "'");
  return *found;
}

}  // namespace croq::testing
