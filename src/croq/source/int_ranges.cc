#include "croq/source/int_ranges.h"

#include <algorithm>
#include <cmath>

#include "croq/source/literal.h"
#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

constexpr double kBeyond = 2147483648.0;  // 2^31

std::optional<IntRange> Exactly(double value) {
  return IntRange{value, value, std::fabs(value) >= kBeyond, false, true};
}

IntRange Hull(const IntRange& one, const IntRange& other) {
  return {std::min(one.low, other.low), std::max(one.high, other.high), one.wide || other.wide,
          false, false};
}

IntRange Product(const IntRange& one, const IntRange& other) {
  const double corners[] = {one.low * other.low, one.low * other.high, one.high * other.low,
                            one.high * other.high};
  return {*std::min_element(std::begin(corners), std::end(corners)),
          *std::max_element(std::begin(corners), std::end(corners)), false, false, false};
}

bool Is64Bits(const Names& names, const Node* type) {
  if (type == nullptr)
    return false;
  const std::string name = TritonName(names, *type);
  return name.ends_with("int64") || (type->IsString() && type->text.ends_with("int64"));
}

}  // namespace

IntRanges::IntRanges(const Names& names, Start start, Program program, double largest)
    : names_(names), start_(std::move(start)), program_(std::move(program)), largest_(largest) {}

void IntRanges::Run(const Node& definition, const Visit& visit) {
  variables_.clear();
  for (const std::string& name : ParameterNames(definition)) variables_[name] = start_(name);
  visit_ = &visit;
  for (const Node* statement : definition.Children(Field::kBody)) Statement(*statement);
}

void IntRanges::Statement(const Node& node) {
  switch (node.kind) {
    case Kind::kAssign: {
      const auto range = Of(*node.Child(Field::kValue));
      for (const Node* target : node.Children(Field::kTargets)) {
        const Node& value = *node.Child(Field::kValue);
        if (target->Is(Kind::kTuple) && value.Is(Kind::kTuple) &&
            target->children.size() == value.children.size()) {
          for (std::size_t i = 0; i < value.children.size(); ++i)
            Assign(*target->children[i], Of(*value.children[i]));
        } else {
          Assign(*target, range);
        }
      }
      return;
    }
    case Kind::kAnnAssign:
      if (const Node* value = node.Child(Field::kValue))
        Assign(*node.Child(Field::kTarget), Of(*value));
      return;
    case Kind::kAugAssign:  // may grow with each turn of a loop
      Of(*node.Child(Field::kValue));
      Assign(*node.Child(Field::kTarget), std::nullopt);
      return;
    case Kind::kFor: {
      const Node& sequence = *node.Child(Field::kIter);
      std::optional<IntRange> range;
      if (sequence.Is(Kind::kCall)) {
        const Node* second = Argument(sequence, 1, "");
        const Node* stop = second != nullptr ? second : Argument(sequence, 0, "");
        range = stop == nullptr ? std::nullopt : Of(*stop);
        if (range) {
          range->low = 0;
          range->high = std::max(range->high - 1, 0.0);
          range->is_constant = false;
        }
      }
      Assign(*node.Child(Field::kTarget), range);
      break;
    }
    case Kind::kFunctionDef:
    case Kind::kClassDef:
      return;
    default:
      break;
  }
  for (const Node* child : node.children) {
    if (child->field == Field::kBody || child->field == Field::kOrElse ||
        child->field == Field::kItems) {
      Statement(*child);
    } else if (node.Is(Kind::kExpr) || node.Is(Kind::kReturn) || child->field == Field::kTest) {
      Of(*child);
    }
  }
}

void IntRanges::Assign(const Node& target, const std::optional<IntRange>& range) {
  if (!target.Is(Kind::kName))
    return;
  variables_[std::string(target.text)] = range;
}

std::optional<IntRange> IntRanges::Of(const Node& node) {
  switch (node.kind) {
    case Kind::kConstant:
      if (node.constant == ConstantType::kInt)
        return Exactly(static_cast<double>(node.integer));
      return std::nullopt;
    case Kind::kName: {
      const auto found = variables_.find(node.text);
      return found == variables_.end() ? std::nullopt : found->second;
    }
    case Kind::kBinOp:
      return OfOperator(node);
    case Kind::kUnaryOp: {
      auto range = Of(*node.Child(Field::kOperand));
      if (!range || node.text != "USub")
        return std::nullopt;
      return IntRange{-range->high, -range->low, range->wide, false, range->is_constant};
    }
    case Kind::kSubscript:  // offsets[:, None]
      return Of(*node.Child(Field::kValue));
    case Kind::kIfExp:
      return Join(node.Child(Field::kBody), node.Child(Field::kOrElse));
    case Kind::kCall:
      return OfCall(node);
    default:
      for (const Node* child : node.children) Of(*child);
      return std::nullopt;
  }
}

std::optional<IntRange> IntRanges::Join(const Node* one, const Node* other) {
  const auto left = one == nullptr ? std::nullopt : Of(*one);
  const auto right = other == nullptr ? std::nullopt : Of(*other);
  return left && right ? std::optional(Hull(*left, *right)) : std::nullopt;
}

std::optional<IntRange> IntRanges::OfOperator(const Node& node) {
  const auto left = Of(*node.Child(Field::kLeft));
  const auto right = Of(*node.Child(Field::kRight));
  if (!left || !right)
    return std::nullopt;
  const std::string_view op = node.text;
  IntRange range;
  if (op == "Add") {
    range = {left->low + right->low, left->high + right->high, false, false, false};
  } else if (op == "Sub") {
    range = {left->low - right->high, left->high - right->low, false, false, false};
  } else if (op == "Mult") {
    range = Product(*left, *right);
    // A grid that is not known most likely covers the largest dimension with such steps.
    const bool step = (left->is_program && right->is_constant) ||
                      (right->is_program && left->is_constant);
    if (step)
      range.high = std::min(range.high, largest_ + std::max(left->is_constant ? left->high : 0.0,
                                                            right->is_constant ? right->high : 0.0));
  } else if (op == "FloorDiv") {
    range = {0, left->high / std::max(right->low, 1.0), false, false, false};
  } else if (op == "Mod") {
    range = {0, std::max(std::min(left->high, right->high - 1), 0.0), false, false, false};
  } else {
    return std::nullopt;
  }
  range.wide = left->wide || right->wide;
  range.is_constant = left->is_constant && right->is_constant;
  const bool grows = op == "Add" || op == "Sub" || op == "Mult";
  if (grows && !range.wide && (range.high >= kBeyond || range.low < -kBeyond)) {
    (*visit_)(node, range);
    return std::nullopt;  // told once
  }
  return range;
}

std::optional<IntRange> IntRanges::OfCall(const Node& node) {
  const Node& callee = *node.Child(Field::kFunc);
  const std::string name = CalledName(names_, node);
  const std::string_view word = LanguageName(name);
  const auto argument = [&](std::size_t position) {
    const Node* given = Argument(node, position, "");
    return given == nullptr ? std::nullopt : Of(*given);
  };
  if (word == "program_id") {
    const Node* axis = Argument(node, 0, "axis");
    return program_(axis == nullptr ? 0 : static_cast<int>(IntLiteral(*axis).value_or(0)));
  }
  if (word == "num_programs")
    return IntRange{1, largest_, false, false, false};
  if (word == "arange") {
    const auto stop = argument(1);
    return stop ? std::optional(IntRange{0, stop->high - 1, false, false, false}) : std::nullopt;
  }
  if (word == "cdiv" || name == "triton.cdiv") {
    const auto left = argument(0);
    const auto right = argument(1);
    if (!left || !right)
      return std::nullopt;
    return IntRange{0, std::ceil(left->high / std::max(right->low, 1.0)), left->wide, false, false};
  }
  if (word == "minimum" || name == "builtins.min") {
    const auto left = argument(0);
    const auto right = argument(1);
    if (!left || !right)
      return std::nullopt;
    return IntRange{std::min(left->low, right->low), std::min(left->high, right->high),
                    left->wide || right->wide, false, false};
  }
  if (word == "multiple_of" || word == "max_contiguous" || word == "max_constancy")
    return argument(0);
  if (word == "cast" || (name.empty() && callee.Is(Kind::kAttribute) && callee.text == "to")) {
    const bool method = word != "cast";
    auto range = method ? Of(*callee.Child(Field::kValue)) : argument(0);
    if (range && Is64Bits(names_, Argument(node, method ? 0 : 1, "dtype")))
      range->wide = true;
    return range;
  }
  for (const Node* child : node.children) {
    if (child->field == Field::kArgs)
      Of(*child);  // an address inside tl.load(...)
    if (child->field == Field::kKeywords)
      Of(*child->Child(Field::kValue));
  }
  return std::nullopt;
}

}  // namespace croq::source
