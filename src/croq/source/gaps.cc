#include "croq/source/gaps.h"

#include <algorithm>

namespace croq::source {
namespace {

constexpr std::string_view kBlanks = " \t\f";

/// The line's first byte.
std::size_t LineStart(std::string_view bytes, std::size_t offset) {
  return offset == 0 ? 0 : bytes.rfind('\n', offset - 1) + 1;  // npos + 1 is 0
}

/// One past the line end.
std::size_t NextLine(std::string_view bytes, std::size_t offset) {
  const std::size_t end = bytes.find('\n', offset);
  return end == std::string_view::npos ? bytes.size() : end + 1;
}

/// Whether the rest of the line is blank or a comment.
bool LastOnLine(std::string_view bytes, std::size_t offset) {
  const std::size_t next = bytes.find_first_not_of(kBlanks, offset);
  return next == std::string_view::npos || bytes[next] == '#' || bytes[next] == '\n' ||
         bytes[next] == '\r';
}

/// Whether a line holds nothing but what may stand between `@` and its expression.
bool OnlyOpens(std::string_view line) {
  const std::string_view code = line.substr(0, line.find('#'));
  return code.find_first_not_of(" \t\f\r\n@(\\") == std::string_view::npos;
}

}  // namespace

Range RangeOf(const SyntaxTree& tree, const Node& node) {
  return {tree.Offset(node.span.line, node.span.column),
          tree.Offset(node.span.end_line, node.span.end_column)};
}

std::size_t SkipGap(std::string_view bytes, std::size_t at) {
  while (at < bytes.size()) {
    const char c = bytes[at];
    if (c == '#') {
      at = std::min(bytes.find('\n', at), bytes.size());
    } else if (kBlanks.find(c) != std::string_view::npos || c == '\n' || c == '\r' || c == '\\') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t OpeningBracket(const SyntaxTree& tree, const Node& call) {
  const std::string_view bytes = tree.bytes();
  std::size_t at = SkipGap(bytes, RangeOf(tree, *call.Child(Field::kFunc)).end);
  while (at < bytes.size() && bytes[at] == ')') at = SkipGap(bytes, at + 1);
  return at;
}

std::optional<ArgumentPlace> PlaceOfNextArgument(const SyntaxTree& tree, const Node& call) {
  const std::string_view bytes = tree.bytes();
  const std::size_t closing = RangeOf(tree, call).end - 1;
  std::optional<std::size_t> last;
  for (const Node* child : call.children) {
    if (child->field == Field::kFunc) continue;
    last = std::max(last.value_or(0), RangeOf(tree, *child).end);
  }
  if (!last) return ArgumentPlace{OpeningBracket(tree, call) + 1, true};
  if (*last > closing) return std::nullopt;
  std::size_t place = *last;
  for (std::size_t at = SkipGap(bytes, place); at < closing; at = SkipGap(bytes, at + 1)) {
    if (bytes[at] == ')') place = at + 1;
    else if (bytes[at] != ',') return std::nullopt;
  }
  return ArgumentPlace{place, false};
}

std::optional<Range> DecoratorLines(const SyntaxTree& tree, const Node& decorator) {
  const std::string_view bytes = tree.bytes();
  const Range expression = RangeOf(tree, decorator);
  std::size_t begin = LineStart(bytes, expression.begin);
  if (!OnlyOpens(bytes.substr(begin, expression.begin - begin))) return std::nullopt;
  std::size_t mark = bytes.find('@', begin);
  while (mark >= expression.begin) {  // the `@` stands on a line of its own
    if (begin == 0) return std::nullopt;
    const std::size_t above = LineStart(bytes, begin - 1);
    if (!OnlyOpens(bytes.substr(above, begin - above))) return std::nullopt;
    begin = above;
    mark = bytes.find('@', begin);
  }
  std::size_t end = expression.end;
  for (std::size_t at = SkipGap(bytes, end); at < bytes.size() && bytes[at] == ')';
       at = SkipGap(bytes, end)) {
    end = at + 1;
  }
  if (!LastOnLine(bytes, end)) return std::nullopt;
  return Range{begin, NextLine(bytes, end)};
}

std::optional<Range> StatementLines(const SyntaxTree& tree, const Node& statement) {
  const Range range = RangeOf(tree, statement);
  if (!FirstOnLine(tree, range.begin) || !LastOnLine(tree.bytes(), range.end)) return std::nullopt;
  return Range{LineStart(tree.bytes(), range.begin), NextLine(tree.bytes(), range.end)};
}

bool FirstOnLine(const SyntaxTree& tree, std::size_t offset) {
  return Indentation(tree, offset).size() == offset - LineStart(tree.bytes(), offset);
}

std::string_view Indentation(const SyntaxTree& tree, std::size_t offset) {
  const std::string_view bytes = tree.bytes();
  const std::size_t begin = LineStart(bytes, offset);
  const std::size_t first = bytes.find_first_not_of(kBlanks, begin);
  return bytes.substr(begin, std::min(first, bytes.size()) - begin);
}

std::string_view LineEnd(const SyntaxTree& tree, std::size_t offset) {
  const std::size_t end = tree.bytes().find('\n', offset);
  return end != std::string::npos && end > 0 && tree.bytes()[end - 1] == '\r' ? "\r\n" : "\n";
}

const Node* FormattedAround(const Node& node) {
  const Node* outermost = nullptr;
  for (const Node* at = node.parent; at != nullptr; at = at->parent) {
    if (at->Is(Kind::kJoinedStr) || at->Is(Kind::kTemplateStr)) outermost = at;
  }
  return outermost;
}

const Node& StatementOf(const Node& node) {
  const Node* at = &node;
  while (at->parent != nullptr && !(at->kind >= Kind::kFunctionDef && at->kind <= Kind::kContinue))
    at = at->parent;
  return *at;
}

}  // namespace croq::source
