#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "croq/source/syntax.h"

/// What stands between the nodes of a syntax tree: brackets, commas, comments, line ends. The tree
/// has none of it, and edits need it.
namespace croq::source {

/// Bytes [begin, end) of a file.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Range RangeOf(const SyntaxTree& tree, const Node& node);

/// The first byte at or after `at` that is no space, comment, line end or line continuation.
std::size_t SkipGap(std::string_view bytes, std::size_t at);

/// Where a further argument of a call goes in: right behind the last argument (and the brackets
/// around that), so that a trailing comma, comments and the closing line stay.
struct ArgumentPlace {
  std::size_t offset = 0;
  bool first = true;  ///< no argument before it: no comma either
};
/// Nothing where the only argument is a generator without brackets of its own, which can have no
/// neighbour.
std::optional<ArgumentPlace> PlaceOfNextArgument(const SyntaxTree& tree, const Node& call);

/// The offset of a call's opening bracket.
std::size_t OpeningBracket(const SyntaxTree& tree, const Node& call);

/// The whole lines of a decorator, from the indentation before the `@` through the line end; a
/// comment behind it goes along. Nothing where it shares a line in a way that is not understood.
std::optional<Range> DecoratorLines(const SyntaxTree& tree, const Node& decorator);

/// The whole lines of a statement; nothing where it shares a line with another.
std::optional<Range> StatementLines(const SyntaxTree& tree, const Node& statement);

/// Whether only blanks stand before an offset on its line.
bool FirstOnLine(const SyntaxTree& tree, std::size_t offset);
/// The blanks that a line begins with.
std::string_view Indentation(const SyntaxTree& tree, std::size_t offset);
/// How the line of an offset ends: "\n" or "\r\n".
std::string_view LineEnd(const SyntaxTree& tree, std::size_t offset);

/// The f-string that a node stands in, null where it stands in none: Python before 3.12 gives the
/// nodes inside wrong places, so nothing there can be edited.
const Node* FormattedAround(const Node& node);

/// The statement that an expression is part of.
const Node& StatementOf(const Node& node);

}  // namespace croq::source
