#include "croq/source/tree_words.h"

#include <unordered_map>
#include <utility>

namespace croq::source {
namespace {

using enum Kind;

constexpr KindWord kKinds[] = {
    {"Module", kModule}, {"FunctionDef", kFunctionDef}, {"AsyncFunctionDef", kAsyncFunctionDef},
    {"ClassDef", kClassDef}, {"Return", kReturn}, {"Delete", kDelete}, {"Assign", kAssign},
    {"TypeAlias", kTypeAlias}, {"AugAssign", kAugAssign}, {"AnnAssign", kAnnAssign}, {"For", kFor},
    {"AsyncFor", kAsyncFor}, {"While", kWhile}, {"If", kIf}, {"With", kWith},
    {"AsyncWith", kAsyncWith}, {"Match", kMatch}, {"Raise", kRaise}, {"Try", kTry},
    {"TryStar", kTryStar}, {"Assert", kAssert}, {"Import", kImport}, {"ImportFrom", kImportFrom},
    {"Global", kGlobal}, {"Nonlocal", kNonlocal}, {"Expr", kExpr}, {"Pass", kPass},
    {"Break", kBreak}, {"Continue", kContinue}, {"BoolOp", kBoolOp}, {"NamedExpr", kNamedExpr},
    {"BinOp", kBinOp}, {"UnaryOp", kUnaryOp}, {"Lambda", kLambda}, {"IfExp", kIfExp},
    {"Dict", kDict}, {"Set", kSet}, {"ListComp", kListComp}, {"SetComp", kSetComp},
    {"DictComp", kDictComp}, {"GeneratorExp", kGeneratorExp}, {"Await", kAwait}, {"Yield", kYield},
    {"YieldFrom", kYieldFrom}, {"Compare", kCompare}, {"Call", kCall},
    {"FormattedValue", kFormattedValue}, {"Interpolation", kInterpolation},
    {"JoinedStr", kJoinedStr}, {"TemplateStr", kTemplateStr}, {"Constant", kConstant},
    {"Attribute", kAttribute}, {"Subscript", kSubscript}, {"Starred", kStarred}, {"Name", kName},
    {"List", kList}, {"Tuple", kTuple}, {"Slice", kSlice}, {"comprehension", kComprehension},
    {"ExceptHandler", kExceptHandler}, {"arguments", kArguments}, {"arg", kArg},
    {"keyword", kKeyword}, {"alias", kAlias}, {"withitem", kWithItem}, {"match_case", kMatchCase},
    {"MatchValue", kPattern}, {"MatchSingleton", kPattern}, {"MatchSequence", kPattern},
    {"MatchMapping", kPattern}, {"MatchClass", kPattern}, {"MatchStar", kPattern},
    {"MatchAs", kPattern}, {"MatchOr", kPattern}, {"TypeVar", kTypeParam},
    {"ParamSpec", kTypeParam}, {"TypeVarTuple", kTypeParam},
};

constexpr std::pair<std::string_view, Field> kFields[] = {
    {"", Field::kNone}, {"body", Field::kBody}, {"orelse", Field::kOrElse},
    {"finalbody", Field::kFinalBody}, {"handlers", Field::kHandlers},
    {"decorator_list", Field::kDecorators}, {"args", Field::kArgs},
    {"posonlyargs", Field::kPosOnlyArgs}, {"vararg", Field::kVarArg},
    {"kwonlyargs", Field::kKwOnlyArgs}, {"kw_defaults", Field::kKwDefaults},
    {"kwarg", Field::kKwArg}, {"defaults", Field::kDefaults}, {"returns", Field::kReturns},
    {"bases", Field::kBases}, {"keywords", Field::kKeywords}, {"targets", Field::kTargets},
    {"target", Field::kTarget}, {"value", Field::kValue}, {"values", Field::kValues},
    {"annotation", Field::kAnnotation}, {"iter", Field::kIter}, {"test", Field::kTest},
    {"items", Field::kItems}, {"context_expr", Field::kContextExpr},
    {"optional_vars", Field::kOptionalVars}, {"subject", Field::kSubject},
    {"cases", Field::kCases}, {"pattern", Field::kPattern}, {"patterns", Field::kPatterns},
    {"guard", Field::kGuard}, {"exc", Field::kExc}, {"cause", Field::kCause},
    {"type", Field::kType}, {"msg", Field::kMsg}, {"names", Field::kNames},
    {"left", Field::kLeft}, {"right", Field::kRight}, {"operand", Field::kOperand},
    {"comparators", Field::kComparators}, {"func", Field::kFunc},
    {"format_spec", Field::kFormatSpec}, {"slice", Field::kSlice}, {"lower", Field::kLower},
    {"upper", Field::kUpper}, {"step", Field::kStep}, {"elts", Field::kElts},
    {"keys", Field::kKeys}, {"elt", Field::kElt}, {"key", Field::kKey},
    {"generators", Field::kGenerators}, {"ifs", Field::kIfs}, {"type_params", Field::kTypeParams},
    {"kwd_patterns", Field::kOther}, {"cls", Field::kOther}, {"bound", Field::kOther},
    {"default_value", Field::kOther}, {"unpacked", Field::kOther},
};

}  // namespace

std::optional<KindWord> KindOfWord(std::string_view word) {
  static const auto* table = [] {
    auto* made = new std::unordered_map<std::string_view, KindWord>;
    for (const KindWord& entry : kKinds) made->emplace(entry.word, entry);
    return made;
  }();
  const auto found = table->find(word);
  return found == table->end() ? std::nullopt : std::optional(found->second);
}

std::optional<Field> FieldOfWord(std::string_view word) {
  static const auto* table =
      new std::unordered_map<std::string_view, Field>(std::begin(kFields), std::end(kFields));
  const auto found = table->find(word);
  return found == table->end() ? std::nullopt : std::optional(found->second);
}

}  // namespace croq::source
