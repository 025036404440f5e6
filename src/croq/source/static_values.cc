#include "croq/source/static_values.h"

#include <algorithm>
#include <array>

#include "croq/source/static_operators.h"
#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

constexpr int kMaxValueDepth = 60;
constexpr int kMaxValueSteps = 100'000;
constexpr std::size_t kMaxItems = 5'000;

class Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};


bool ChangesInPlace(std::string_view method) {
  static constexpr std::array<std::string_view, 10> kMethods = {
      "append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update", "setdefault"};
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

}  // namespace

StaticValues::StaticValues(const SyntaxTree& tree, const Names& names) : names_(names) {
  Walk(tree.root(), [&](const Node& node) {
    const Node* base = node.Child(Field::kValue);
    if (base == nullptr || !base->Is(Kind::kName))
      return true;
    const bool method = node.Is(Kind::kAttribute) && node.field == Field::kFunc &&
                        ChangesInPlace(node.text);
    const bool item = node.Is(Kind::kSubscript) && node.access != Access::kLoad;
    if (method || item)
      changed_in_place_[base->text] = true;
    return true;
  });
}

bool StaticValues::Step() const {
  return depth_ < kMaxValueDepth && ++steps_ < kMaxValueSteps;
}

const Node* StaticValues::Follow(const Node& node) const {
  const Node* at = &node;
  for (int step = 0; at->Is(Kind::kName); ++step) {
    const auto bindings = names_.BindingsOf(*at);
    if (step > kMaxValueDepth || bindings.size() != 1 || bindings.front()->value == nullptr ||
        changed_in_place_.contains(at->text))
      return nullptr;
    at = bindings.front()->value;
  }
  return at;
}

std::optional<Literal> StaticValues::EvaluateLiteral(const Node& node,
                                                     const Variables& variables) const {
  const auto value = Evaluate(node, variables);
  if (!value || value->is_list)
    return std::nullopt;
  return value->literal;
}

std::optional<Value> StaticValues::Evaluate(const Node& node, const Variables& variables) const {
  if (!Step())
    return std::nullopt;
  const Deeper deeper(depth_);
  return EvaluateNode(node, variables);
}

std::optional<Value> StaticValues::EvaluateNode(const Node& node,
                                                const Variables& variables) const {
  switch (node.kind) {
    case Kind::kConstant:
      return ConstantValue(node);
    case Kind::kName: {
      if (const auto variable = variables.find(node.text); variable != variables.end())
        return variable->second;
      const Node* value = Follow(node);
      return value == nullptr ? std::nullopt : Evaluate(*value, {});
    }
    case Kind::kBinOp:
    case Kind::kUnaryOp:
      return EvaluateOperator(node, variables);
    case Kind::kCompare:
    case Kind::kBoolOp:
      return EvaluateCompare(node, variables);
    case Kind::kIfExp: {
      const auto test = Evaluate(*node.Child(Field::kTest), variables);
      if (!test)
        return std::nullopt;
      return Evaluate(*node.Child(Truth(*test) ? Field::kBody : Field::kOrElse), variables);
    }
    case Kind::kCall:
      return EvaluateCall(node, variables);
    case Kind::kSubscript: {
      const auto list = Evaluate(*node.Child(Field::kValue), variables);
      const auto index = EvaluateLiteral(*node.Child(Field::kSlice), variables);
      return list && index ? ItemOf(*list, *index) : std::nullopt;
    }
    default:
      return EvaluateList(node, variables);
  }
}

std::optional<Value> StaticValues::EvaluateOperator(const Node& node,
                                                    const Variables& variables) const {
  if (node.Is(Kind::kUnaryOp)) {
    const auto operand = Evaluate(*node.Child(Field::kOperand), variables);
    return operand ? ApplyUnary(node.text, *operand) : std::nullopt;
  }
  const auto left = Evaluate(*node.Child(Field::kLeft), variables);
  const auto right = Evaluate(*node.Child(Field::kRight), variables);
  return left && right ? ApplyBinary(node.text, *left, *right) : std::nullopt;
}

std::optional<Value> StaticValues::EvaluateCompare(const Node& node,
                                                   const Variables& variables) const {
  std::vector<Value> values;
  for (const Node* child : node.children) {
    auto value = Evaluate(*child, variables);
    if (!value)
      return std::nullopt;
    values.push_back(std::move(*value));
  }
  if (node.Is(Kind::kBoolOp)) {
    const bool all = node.text == "And";
    for (const Value& value : values) {
      if (Truth(value) != all)
        return value;
    }
    return values.back();
  }
  return values.size() == 2 ? ApplyCompare(node.text, values[0], values[1]) : std::nullopt;
}

std::optional<Value> StaticValues::EvaluateCall(const Node& node,
                                                const Variables& variables) const {
  const std::string name = CalledName(names_, node);
  if (name == "itertools.product")
    return Product(node, variables);
  std::vector<Value> arguments;
  for (const Node* child : node.children) {
    if (child->field == Field::kFunc)
      continue;
    auto value = child->field == Field::kArgs ? Evaluate(*child, variables) : std::nullopt;
    if (!value)
      return std::nullopt;
    arguments.push_back(std::move(*value));
  }
  return ApplyBuiltin(name, arguments);
}

std::optional<Value> StaticValues::EvaluateList(const Node& node,
                                                const Variables& variables) const {
  const bool display = node.Is(Kind::kList) || node.Is(Kind::kTuple) || node.Is(Kind::kSet);
  if (!display && !node.Is(Kind::kListComp) && !node.Is(Kind::kGeneratorExp))
    return std::nullopt;
  Value list;
  list.is_list = true;
  const bool whole =
      ForEach(node, variables, [&](const Node& element, const Variables& inner) {
        auto value = Evaluate(element, inner);
        if (!value || list.items.size() >= kMaxItems)
          return false;
        list.items.push_back(std::move(*value));
        return true;
      });
  return whole ? std::optional(std::move(list)) : std::nullopt;
}

std::optional<Value> StaticValues::Product(const Node& call, const Variables& variables) const {
  Value product;
  product.is_list = true;
  product.items.push_back({{}, true, {}});
  std::int64_t repeat = 1;
  std::vector<Value> factors;
  for (const Node* child : call.children) {
    if (child->field == Field::kKeywords) {
      const auto times = EvaluateLiteral(*child->Child(Field::kValue), variables);
      if (child->text != "repeat" || !times || !std::holds_alternative<std::int64_t>(*times))
        return std::nullopt;
      repeat = std::get<std::int64_t>(*times);
    } else if (child->field == Field::kArgs) {
      auto factor = Evaluate(*child, variables);
      if (!factor || !factor->is_list)
        return std::nullopt;
      factors.push_back(std::move(*factor));
    }
  }
  if (repeat < 1 || repeat > 8)
    return std::nullopt;
  for (std::int64_t time = 0; time < repeat; ++time) {
    for (const Value& factor : factors) {
      std::vector<Value> longer;
      for (const Value& before : product.items) {
        for (const Value& item : factor.items) {
          longer.push_back(before);
          longer.back().items.push_back(item);
          if (longer.size() > kMaxItems)
            return std::nullopt;
        }
      }
      product.items = std::move(longer);
    }
  }
  return product;
}

bool BindTarget(const Node& target, const Value& value, Variables& variables) {
  if (target.Is(Kind::kName)) {
    variables[std::string(target.text)] = value;
    return true;
  }
  if (!(target.Is(Kind::kTuple) || target.Is(Kind::kList)) || !value.is_list ||
      target.children.size() != value.items.size())
    return false;
  for (std::size_t i = 0; i < target.children.size(); ++i) {
    if (!BindTarget(*target.children[i], value.items[i], variables))
      return false;
  }
  return true;
}

}  // namespace croq::source
