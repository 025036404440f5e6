#include "croq/operators/template_set.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>
#include <utility>

#include "croq/base/files.h"

namespace croq::operators {
namespace {

constexpr std::string_view kSuffix = ".py.in";
constexpr int kMaxIncludeDepth = 8;

std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

struct Directive {
  std::string_view word;
  std::string_view argument;
};

/// `#@word argument` after any indent; nothing for an ordinary line.
std::optional<Directive> ParseDirective(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  if (start == std::string_view::npos || line.substr(start, 2) != "#@") return std::nullopt;
  const std::string_view text = line.substr(start + 2);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return Directive{text, {}};
  return Directive{text.substr(0, space), text.substr(space + 1)};
}

/// The line with every {{NAME}} replaced; the error is the unknown name.
tl::expected<std::string, std::string> Substitute(std::string_view line,
                                                  const TemplateValues& values) {
  std::string output;
  while (true) {
    const std::size_t open = line.find("{{");
    output += line.substr(0, open);
    if (open == std::string_view::npos) return output;
    const std::size_t close = line.find("}}", open);
    if (close == std::string_view::npos) return tl::unexpected(std::string(line.substr(open)));
    const std::string_view name = line.substr(open + 2, close - open - 2);
    const auto found = values.texts.find(name);
    if (found == values.texts.end()) return tl::unexpected(std::string(name));
    output += found->second;
    line.remove_prefix(close + 2);
  }
}

/// Which lines the #@if around them lets through.
class Branches {
 public:
  bool Open() const {
    for (const bool taken : taken_) {
      if (!taken) return false;
    }
    return true;
  }
  bool Balanced() const { return taken_.empty(); }

  /// False where the directive does not fit here, or is none of if, else, end.
  bool Apply(const Directive& directive, const TemplateValues& values) {
    if (directive.word == "if") {
      taken_.push_back(values.flags.contains(directive.argument));
      return true;
    }
    if (taken_.empty()) return false;
    if (directive.word == "else") {
      taken_.back() = !taken_.back();
      return true;
    }
    if (directive.word != "end") return false;
    taken_.pop_back();
    return true;
  }

 private:
  std::vector<bool> taken_;
};

}  // namespace

Result<TemplateSet> TemplateSet::Load(const std::filesystem::path& folder) {
  TemplateSet set;
  set.folder_ = folder;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (!file.ends_with(kSuffix)) continue;
    CROQ_ASSIGN(const std::string text, ReadFile(it->path()));
    set.lines_.emplace(file.substr(0, file.size() - kSuffix.size()), SplitLines(text));
  }
  if (error) {
    return Failure(fmt::format("templates in {} can't be read: {}; install croq again",
                               folder.string(), error.message()));
  }
  if (set.lines_.empty()) {
    return Failure(fmt::format("{} holds no {} templates; install croq again", folder.string(),
                               kSuffix));
  }
  return set;
}

Result<std::string> TemplateSet::Render(std::string_view name, const TemplateValues& values) const {
  std::string output;
  CROQ_TRY(Append(name, values, 0, &output));
  return output;
}

Status TemplateSet::Append(std::string_view name, const TemplateValues& values, int depth,
                           std::string* output) const {
  const auto found = lines_.find(name);
  const auto fail = [&](std::size_t line, const std::string& what) {
    return Failure(fmt::format("{}/{}{}:{}: {}", folder_.string(), name, kSuffix, line, what));
  };
  if (found == lines_.end()) return fail(0, "there is no such template");
  if (depth > kMaxIncludeDepth) return fail(0, "it includes itself");
  Branches branches;
  for (std::size_t i = 0; i < found->second.size(); ++i) {
    const std::string& line = found->second[i];
    if (const std::optional<Directive> directive = ParseDirective(line)) {
      if (directive->word == "include") {
        if (branches.Open()) CROQ_TRY(Append(directive->argument, values, depth + 1, output));
      } else if (!branches.Apply(*directive, values)) {
        return fail(i + 1, fmt::format("'#@{}' does not fit here", directive->word));
      }
      continue;
    }
    if (!branches.Open()) continue;
    const auto text = Substitute(line, values);
    if (!text) return fail(i + 1, fmt::format("nothing to put in for '{}'", text.error()));
    *output += *text;
    *output += '\n';
  }
  if (!branches.Balanced()) return fail(found->second.size(), "an #@if is not closed");
  return {};
}

}  // namespace croq::operators
