#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "croq/base/base64.h"
#include "croq/source/syntax.h"
#include "croq/source/tree_words.h"

/// Reads the form that croq_worker/compact_tree.py describes. Nothing of it is trusted.
namespace croq::source {
namespace {

using nlohmann::json;

constexpr std::size_t kNumbers = 7;
constexpr std::size_t kRecordBytes = kNumbers * sizeof(std::int32_t);

/// One node's numbers, taken apart.
struct Record {
  std::size_t kind, field, depth;
  std::uint32_t access, constant;
  std::int32_t line, column, end_line, end_column, text, extra;
};

Record ReadRecord(const char* bytes) {
  std::int32_t numbers[kNumbers];
  for (std::size_t i = 0; i < kNumbers; ++i) {
    std::uint32_t number = 0;
    for (std::size_t j = 0; j < 4; ++j)
      number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[4 * i + j])) << 8 * j;
    std::memcpy(&numbers[i], &number, sizeof number);
  }
  const auto head = static_cast<std::uint32_t>(numbers[0]);
  return {head & 255,        head >> 8 & 255, head >> 16 & 255, head >> 24 & 3, head >> 26 & 63,
          numbers[1],        numbers[2],      numbers[3],       numbers[4],     numbers[5],
          numbers[6]};
}

Result<std::vector<std::string>> Words(const json& tree, const char* name) {
  const auto found = tree.find(name);
  if (found == tree.end() || !found->is_array())
    return Failure(fmt::format("field '{}' is no list", name));
  std::vector<std::string> words;
  words.reserve(found->size());
  for (const json& word : *found) {
    if (!word.is_string())
      return Failure(fmt::format("field '{}' has more than strings", name));
    words.push_back(word.get<std::string>());
  }
  return words;
}

/// The tables of a tree: what its numbers mean.
struct Tables {
  std::vector<KindWord> kinds;
  std::vector<Field> fields;
};

Result<Tables> ReadTables(const json& tree) {
  Tables tables;
  CROQ_ASSIGN(const auto kinds, Words(tree, "kinds"));
  for (const std::string& word : kinds) {
    const auto kind = KindOfWord(word);
    if (!kind)
      return Failure(fmt::format("the node class '{}' is not known", word));
    tables.kinds.push_back(*kind);
  }
  CROQ_ASSIGN(const auto fields, Words(tree, "fields"));
  for (const std::string& word : fields) {
    const auto field = FieldOfWord(word);
    if (!field)
      return Failure(fmt::format("the field '{}' is not known", word));
    tables.fields.push_back(*field);
  }
  return tables;
}

template <typename T>
bool Parse(std::string_view text, T& value) {
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end;
}

Status SetConstant(Node& node, std::uint32_t type) {
  if (type > static_cast<std::uint32_t>(ConstantType::kOther))
    return Failure("a constant of no known type");
  node.constant = static_cast<ConstantType>(type);
  bool good = true;
  if (node.constant == ConstantType::kInt) {
    good = Parse(node.text, node.integer);
  } else if (node.constant == ConstantType::kFloat) {
    good = Parse(node.text, node.real);
  } else if (node.constant == ConstantType::kBool) {
    good = node.text == "True" || node.text == "False";
    node.integer = node.text == "True" ? 1 : 0;
  }
  return good ? Status() : Failure(fmt::format("the constant '{}' is no number", node.text));
}

/// Builds nodes one by one.
class Builder {
 public:
  Builder(const Tables& tables, const std::deque<std::string>& strings, std::size_t lines,
          std::size_t bytes)
      : tables_(tables), strings_(strings), lines_(static_cast<std::int64_t>(lines)),
        bytes_(static_cast<std::int64_t>(bytes)) {}

  Status Fill(const Record& record, Node& node) {
    if (record.kind >= tables_.kinds.size() || record.field >= tables_.fields.size())
      return Failure("a node of no known class or field");
    if (record.access > static_cast<std::uint32_t>(Access::kDelete))
      return Failure("a context of no known kind");
    const KindWord& word = tables_.kinds[record.kind];
    node.kind = word.kind;
    node.field = tables_.fields[record.field];
    node.access = static_cast<Access>(record.access);
    CROQ_TRY(SetSpan(record, node));
    CROQ_TRY(SetText(record.text, node.text));
    if (node.kind == Kind::kImportFrom) {
      node.level = static_cast<std::uint8_t>(std::clamp(record.extra, 0, 255));
    } else {
      CROQ_TRY(SetText(record.extra, node.as_name));
    }
    if (node.kind == Kind::kPattern || node.kind == Kind::kTypeParam)
      node.text = word.word;
    return node.kind == Kind::kConstant ? SetConstant(node, record.constant) : Status();
  }

 private:
  Status SetText(std::int32_t index, std::string_view& text) const {
    if (index == -1)
      return {};
    if (index < 0 || static_cast<std::size_t>(index) >= strings_.size())
      return Failure("a text that is not in the table");
    text = strings_[static_cast<std::size_t>(index)];
    return {};
  }

  /// Line 0 stands for no place; AddPlaces gives these one.
  Status SetSpan(const Record& record, Node& node) const {
    const bool sane = record.line >= 0 && record.line <= lines_ && record.end_line >= 0 &&
                      record.end_line <= lines_ && record.column >= 0 && record.column <= bytes_ &&
                      record.end_column >= 0 && record.end_column <= bytes_;
    if (!sane)
      return Failure("a place outside the file");
    node.span = {record.line, record.column, record.end_line, record.end_column};
    return {};
  }

  const Tables& tables_;
  const std::deque<std::string>& strings_;
  std::int64_t lines_;
  std::int64_t bytes_;
};

bool StartsBefore(const Span& one, const Span& other) {
  return std::pair(one.line, one.column) < std::pair(other.line, other.column);
}
bool EndsAfter(const Span& one, const Span& other) {
  return std::pair(one.end_line, one.end_column) > std::pair(other.end_line, other.end_column);
}

/// ast gives `arguments`, `comprehension`, `withitem` and `match_case` no place: they cover their
/// children, and without any they stand, empty, where their parent starts.
void AddPlaces(std::deque<Node>& nodes) {
  for (std::size_t i = nodes.size(); i-- > 0;) {
    Node& node = nodes[i];
    if (node.span.line > 0)
      continue;
    for (const Node* child : node.children) {
      if (child->span.line == 0)
        continue;
      if (node.span.line == 0)
        node.span = child->span;
      if (StartsBefore(child->span, node.span)) {
        node.span.line = child->span.line;
        node.span.column = child->span.column;
      }
      if (EndsAfter(child->span, node.span)) {
        node.span.end_line = child->span.end_line;
        node.span.end_column = child->span.end_column;
      }
    }
  }
  for (Node& node : nodes) {
    if (node.span.line == 0 && node.parent != nullptr) {
      const Span& parent = node.parent->span;
      node.span = {parent.line, parent.column, parent.line, parent.column};
    }
  }
}

Status ReadNodes(std::string_view records, Builder builder, std::deque<Node>& nodes) {
  if (records.empty() || records.size() % kRecordBytes != 0)
    return Failure("the nodes are cut short");
  std::vector<Node*> path;  // the node above, at each depth
  for (std::size_t at = 0; at < records.size(); at += kRecordBytes) {
    const Record record = ReadRecord(records.data() + at);
    if (record.depth > path.size() || (record.depth == 0) != nodes.empty())
      return Failure("a node without a parent");
    Node& node = nodes.emplace_back();
    CROQ_TRY(builder.Fill(record, node));
    path.resize(record.depth);
    if (!path.empty()) {
      node.parent = path.back();
      path.back()->children.push_back(&node);
    }
    path.push_back(&node);
  }
  return nodes.front().Is(Kind::kModule) ? Status() : Failure("the root is no module");
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::vector<std::size_t> LineStarts(const std::string& bytes) {
  std::vector<std::size_t> starts{bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0};
  for (std::size_t at = bytes.find('\n'); at != std::string::npos; at = bytes.find('\n', at + 1))
    starts.push_back(at + 1);
  return starts;
}

}  // namespace

Result<SyntaxTree> SyntaxTree::Load(const json& tree, std::string bytes, std::string path) {
  SyntaxTree made;
  made.bytes_ = std::move(bytes);
  made.path_ = std::move(path);
  made.line_starts_ = LineStarts(made.bytes_);
  const auto fill = [&]() -> Status {
    if (!tree.is_object() || !tree.contains("nodes") || !tree["nodes"].is_string())
      return Failure("field 'nodes' is no string");
    CROQ_ASSIGN(const Tables tables, ReadTables(tree));
    CROQ_ASSIGN(auto strings, Words(tree, "strings"));
    made.strings_.assign(std::move_iterator(strings.begin()), std::move_iterator(strings.end()));
    CROQ_ASSIGN(const std::string records,
                DecodeBase64(tree["nodes"].get_ref<const std::string&>()));
    // A last line without an end, and the one that starts after the last end, count too.
    CROQ_TRY(ReadNodes(records, Builder(tables, made.strings_, made.line_starts_.size() + 1,
                                        made.bytes_.size()),
                       made.nodes_));
    return {};
  };
  if (const Status read = fill(); !read)
    return Wrap(read.error(), fmt::format("the syntax tree of {} makes no sense", made.path_));
  made.nodes_.front().span = {1, 0, static_cast<int>(made.line_starts_.size()),
                              static_cast<int>(made.bytes_.size() - made.line_starts_.back())};
  AddPlaces(made.nodes_);
  made.root_ = &made.nodes_.front();
  return made;
}

}  // namespace croq::source
