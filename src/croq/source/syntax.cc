#include "croq/source/syntax.h"

#include <fmt/format.h>

#include <algorithm>

namespace croq::source {

const Node* Node::Child(Field wanted) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [wanted](const Node* child) { return child->field == wanted; });
  return found == children.end() ? nullptr : *found;
}

std::vector<const Node*> Node::Children(Field wanted) const {
  std::vector<const Node*> found;
  std::copy_if(children.begin(), children.end(), std::back_inserter(found),
               [wanted](const Node* child) { return child->field == wanted; });
  return found;
}

std::size_t SyntaxTree::Offset(int line, int column) const {
  const auto index = static_cast<std::size_t>(std::max(line, 1) - 1);
  if (index >= line_starts_.size())
    return bytes_.size();
  return std::min(line_starts_[index] + static_cast<std::size_t>(std::max(column, 0)),
                  bytes_.size());
}

std::string_view SyntaxTree::Text(const Node& node) const {
  const std::size_t begin = Offset(node.span.line, node.span.column);
  const std::size_t end = Offset(node.span.end_line, node.span.end_column);
  return std::string_view(bytes_).substr(begin, end > begin ? end - begin : 0);
}

std::string_view SyntaxTree::Line(int line) const {
  const std::size_t begin = Offset(line, 0);
  std::string_view text = std::string_view(bytes_).substr(begin);
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r'))
    text.remove_suffix(1);
  return text;
}

std::string PlaceOf(const SyntaxTree& tree, const Node& node) {
  return fmt::format("{}:{}:{}", tree.path(), node.span.line, node.span.column + 1);
}

}  // namespace croq::source
