#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"

/// CPython's own syntax tree of a file, as data. The worker parses the file's bytes with `ast` and
/// sends the tree; nothing here guesses at Python.
namespace croq::source {

/// The classes of CPython's `ast` (3.10 to 3.14). Contexts (Load, Store, Del) are not nodes: a name
/// that is bound or deleted says so in Node::access. Operators are the parent's text ("Add",
/// "MatMult", "NotIn"; several comparisons are joined by spaces).
enum class Kind : std::uint8_t {
  kModule, kFunctionDef, kAsyncFunctionDef, kClassDef, kReturn, kDelete, kAssign, kTypeAlias,
  kAugAssign, kAnnAssign, kFor, kAsyncFor, kWhile, kIf, kWith, kAsyncWith, kMatch, kRaise, kTry,
  kTryStar, kAssert, kImport, kImportFrom, kGlobal, kNonlocal, kExpr, kPass, kBreak, kContinue,
  kBoolOp, kNamedExpr, kBinOp, kUnaryOp, kLambda, kIfExp, kDict, kSet, kListComp, kSetComp,
  kDictComp, kGeneratorExp, kAwait, kYield, kYieldFrom, kCompare, kCall, kFormattedValue,
  kInterpolation, kJoinedStr, kTemplateStr, kConstant, kAttribute, kSubscript, kStarred, kName,
  kList, kTuple, kSlice, kComprehension, kExceptHandler, kArguments, kArg, kKeyword, kAlias,
  kWithItem, kMatchCase, kPattern, kTypeParam,
};

/// Which field of its parent a node stands in, by the name `ast` gives it.
enum class Field : std::uint8_t {
  kNone, kBody, kOrElse, kFinalBody, kHandlers, kDecorators, kArgs, kPosOnlyArgs, kVarArg,
  kKwOnlyArgs, kKwDefaults, kKwArg, kDefaults, kReturns, kBases, kKeywords, kTargets, kTarget,
  kValue, kValues, kAnnotation, kIter, kTest, kItems, kContextExpr, kOptionalVars, kSubject, kCases,
  kPattern, kPatterns, kGuard, kExc, kCause, kType, kMsg, kNames, kLeft, kRight, kOperand,
  kComparators, kFunc, kFormatSpec, kSlice, kLower, kUpper, kStep, kElts, kKeys, kElt, kKey,
  kGenerators, kIfs, kTypeParams, kOther,
};

enum class Access : std::uint8_t { kLoad, kStore, kDelete };

/// What a kConstant holds. Bytes, complex and integers beyond 64 bits are kOther, with their repr
/// (an integer: its hexadecimal digits) as text.
enum class ConstantType : std::uint8_t { kNone, kBool, kInt, kFloat, kString, kEllipsis, kOther };

/// A place in the file: lines from 1, columns from 0 in bytes; the end lies one past the last byte.
struct Span {
  int line = 1;
  int column = 0;
  int end_line = 1;
  int end_column = 0;
};

struct Node {
  Kind kind = Kind::kModule;
  Field field = Field::kNone;
  Access access = Access::kLoad;
  ConstantType constant = ConstantType::kNone;
  std::uint8_t level = 0;       ///< kImportFrom: how many dots lead
  Span span;
  const Node* parent = nullptr;
  /// Name.id, Attribute.attr, arg.arg, keyword.arg (empty: **), FunctionDef.name, alias.name,
  /// ImportFrom.module, Constant as text, operators, Global names joined by spaces, the pattern's
  /// or type parameter's class.
  std::string_view text;
  std::string_view as_name;     ///< alias.asname, ExceptHandler.name (also a capture pattern's name)
  std::int64_t integer = 0;     ///< kConstant: kInt, kBool
  double real = 0;              ///< kConstant: kFloat
  std::vector<const Node*> children;  ///< in the order of ast's fields; a Dict's `**x` has no key:
                                      ///< its value's field is kOther

  /// The first child in a field; null where there is none.
  const Node* Child(Field wanted) const;
  std::vector<const Node*> Children(Field wanted) const;
  bool Is(Kind wanted) const { return kind == wanted; }
  bool IsString() const { return kind == Kind::kConstant && constant == ConstantType::kString; }
};

/// A file and its tree. Nodes live as long as the tree and do not move.
class SyntaxTree {
 public:
  SyntaxTree(const SyntaxTree&) = delete;
  SyntaxTree& operator=(const SyntaxTree&) = delete;
  SyntaxTree(SyntaxTree&&) = default;
  SyntaxTree& operator=(SyntaxTree&&) = default;

  /// `tree` is what the worker's "parsed" reply holds (croq_worker/compact_tree.py); `bytes` the file it was made from, and
  /// `path` its name for messages. Fatal where the tree is not of the documented shape.
  static Result<SyntaxTree> Load(const nlohmann::json& tree, std::string bytes, std::string path);

  const Node& root() const { return *root_; }
  const std::string& bytes() const { return bytes_; }
  const std::string& path() const { return path_; }
  /// Byte offset of a place (a byte order mark counts, though columns do not count it).
  std::size_t Offset(int line, int column) const;
  /// The bytes a node covers.
  std::string_view Text(const Node& node) const;
  std::string_view Line(int line) const;  ///< without its end

 private:
  SyntaxTree() = default;
  const Node* root_ = nullptr;
  std::deque<Node> nodes_;
  std::deque<std::string> strings_;
  std::string bytes_;
  std::string path_;
  std::vector<std::size_t> line_starts_;
};

/// `path:line:column` as messages print it; columns from 1 there, as editors count.
std::string PlaceOf(const SyntaxTree& tree, const Node& node);

/// Calls visit(node) for every node below and including `node`, parents first; a visit that
/// returns false keeps the walk out of that node's children.
template <typename Visit>
void Walk(const Node& node, Visit&& visit) {
  if (!visit(node)) return;
  for (const Node* child : node.children) Walk(*child, visit);
}

}  // namespace croq::source
