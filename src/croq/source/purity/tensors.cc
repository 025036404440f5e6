#include "croq/source/purity/tensors.h"

#include <algorithm>
#include <array>

namespace croq::source::purity {
namespace {

template <std::size_t size>
bool IsIn(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// What is asked of tensors only.
constexpr std::array<std::string_view, 15> kAskedOfTensors{
    "shape",  "stride",        "dtype",        "device",  "numel",     "data_ptr", "is_contiguous",
    "is_cuda", "element_size", "contiguous",   "new_empty", "requires_grad", "view", "reshape",
    "new_zeros"};

// Methods and attributes of a tensor that give a tensor.
constexpr std::array<std::string_view, 34> kGiveTensors{
    "T",         "mT",       "H",        "data",      "grad",     "view",      "view_as",
    "reshape",   "t",        "transpose", "permute",  "unsqueeze", "squeeze",  "expand",
    "expand_as", "flatten",  "unflatten", "narrow",   "select",   "detach",    "contiguous",
    "clone",     "to",       "half",     "bfloat16",  "float",    "double",    "zero_",
    "fill_",     "copy_",    "cuda",     "as_strided", "new_empty", "new_zeros"};

constexpr std::string_view kLanguage = "triton.language.";

}  // namespace

const Node* BaseOfSum(const Names& names, const Node& expression) {
  const Node* node = &expression;
  for (int step = 0; step < 20 && node != nullptr; ++step) {
    if (node->Is(Kind::kBinOp)) {
      node = node->Child(Field::kLeft);
    } else if (node->Is(Kind::kName)) {
      const auto bindings = names.BindingsOf(*node);
      if (bindings.empty() || bindings.front()->value == nullptr ||
          bindings.front()->node->Is(Kind::kArg))
        return node;
      node = bindings.front()->value;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

bool Tensors::Is(const Node& expression) const {
  asked_.clear();
  whole_ = true;
  return Evaluate(expression);
}

bool Tensors::IsOrHolds(const Node& expression) const {
  if (Is(expression))
    return true;
  asked_.clear();
  whole_ = true;
  return Holds(expression);
}

bool Tensors::IsParameter(const Node& parameter) const {
  asked_.clear();
  whole_ = true;
  return OfParameter(parameter);
}

/// What leads back to a name that is being asked about adds nothing to its answer. An answer that
/// met such a place holds for this question only, unless it is yes.
bool Tensors::Ask(const void* key, const std::function<bool()>& answer) const {
  if (const auto kept = kept_.find(key); kept != kept_.end())
    return kept->second;
  const auto [asked, first] = asked_.try_emplace(key, false);
  if (!first) {
    whole_ = whole_ && asked->second;
    return asked->second;
  }
  const bool before = whole_;
  whole_ = true;
  const bool is = scene_.Spend() && answer();
  asked_[key] = is;
  if (is || whole_)
    kept_[key] = is;
  whole_ = before && (whole_ || is);
  return is;
}

bool Tensors::Evaluate(const Node& node) const {
  const auto child = [&](Field field) {
    const Node* found = node.Child(field);
    return found != nullptr && Evaluate(*found);
  };
  switch (node.kind) {
    case Kind::kName:
      return OfName(node);
    case Kind::kAttribute:
      return (IsIn(kGiveTensors, node.text) && node.text != "grad" && child(Field::kValue)) ||
             Ask(&node, [&] { return OfField(node); });
    case Kind::kSubscript:
      return child(Field::kValue) || Ask(&node, [&] { return OfItem(node); });
    case Kind::kNamedExpr:
    case Kind::kStarred:
      return child(Field::kValue);
    case Kind::kBinOp:
      return child(Field::kLeft) || child(Field::kRight);
    case Kind::kUnaryOp:
      return node.text != "Not" && child(Field::kOperand);
    case Kind::kIfExp:
      return child(Field::kBody) || child(Field::kOrElse);
    case Kind::kBoolOp:
      return std::ranges::any_of(node.children, [&](const Node* value) {
        return Evaluate(*value);
      });
    case Kind::kCall:
      return OfCall(node);
    default:
      return false;
  }
}

bool Tensors::OfName(const Node& node) const {
  if (IsNoneHere(node))
    return false;
  return std::ranges::any_of(scene_.names.BindingsOf(node),
                             [&](const Binding* binding) { return OfBinding(*binding); });
}

bool Tensors::OfBinding(const Binding& binding) const {
  if (binding.node->Is(Kind::kArg))
    return OfParameter(*binding.node);
  if (!binding.node->Is(Kind::kName))
    return false;
  if (binding.value == nullptr)
    return OfTarget(binding);
  return Ask(&binding, [&] { return Evaluate(*binding.value); });
}

bool Tensors::OfCall(const Node& node) const {
  const Node& callee = *node.Child(Field::kFunc);
  if (callee.Is(Kind::kAttribute) && IsIn(kGiveTensors, callee.text) &&
      Evaluate(*callee.Child(Field::kValue)))
    return true;
  if (!callee.Is(Kind::kAttribute) && !callee.Is(Kind::kName))
    return false;
  const bool made = std::ranges::any_of(scene_.MeaningsOf(callee), [](const Meaning& meaning) {
    return meaning.Is(Meaning::Kind::kExternal) && MakesTensor(meaning.name);
  });
  return made || GivenBy(node);
}

bool Tensors::OfParameter(const Node& parameter) const {
  return Ask(&parameter, [&] {
    return IsShown(parameter) ||
           std::ranges::any_of(scene_.ArgumentsFor(parameter),
                               [&](const Node* argument) { return Evaluate(*argument); });
  });
}

bool Tensors::IsShown(const Node& parameter) const {
  const Node* annotation = parameter.Child(Field::kAnnotation);
  if (annotation != nullptr && IsTensorAnnotation(*annotation))
    return true;
  const Node* function = parameter.parent->parent;
  return function != nullptr && ShownIn(*function).contains(parameter.text);
}

bool Tensors::IsTensorAnnotation(const Node& annotation) const {
  if (annotation.IsString())
    return annotation.text == "torch.Tensor" || annotation.text == "Tensor";
  if (annotation.Is(Kind::kBinOp))
    return IsTensorAnnotation(*annotation.Child(Field::kLeft)) ||
           IsTensorAnnotation(*annotation.Child(Field::kRight));
  if (annotation.Is(Kind::kSubscript)) {
    const auto name = scene_.names.Resolve(*annotation.Child(Field::kValue));
    return name == "typing.Optional" && IsTensorAnnotation(*annotation.Child(Field::kSlice));
  }
  return scene_.names.Resolve(annotation) == "torch.Tensor";
}

const std::unordered_set<std::string_view>& Tensors::ShownIn(const Node& function) const {
  const auto known = shown_.find(&function);
  if (known != shown_.end())
    return known->second;
  std::unordered_set<std::string_view> shown;
  Walk(function, [&](const Node& node) {
    if (node.Is(Kind::kAttribute) && IsIn(kAskedOfTensors, node.text) &&
        node.Child(Field::kValue)->Is(Kind::kName))
      shown.insert(node.Child(Field::kValue)->text);
    if (!node.Is(Kind::kCall))
      return true;
    const Node& callee = *node.Child(Field::kFunc);
    if (callee.Is(Kind::kSubscript)) {
      AddLaunched(node, shown);
    } else if (const auto name = scene_.names.Resolve(callee);
               name && name->starts_with("torch.") && name->ends_with("_like")) {
      const Node* first = node.Child(Field::kArgs);
      if (first != nullptr && first->Is(Kind::kName))
        shown.insert(first->text);
    }
    return true;
  });
  return shown_.emplace(&function, std::move(shown)).first->second;
}

void Tensors::AddLaunched(const Node& call, std::unordered_set<std::string_view>& shown) const {
  for (const Node* kernel : scene_.KernelsOf(*call.Child(Field::kFunc)->Child(Field::kValue))) {
    const auto& pointers = PointersOf(*kernel);
    const std::vector<const Node*> parameters = ParametersOf(*kernel);
    std::size_t index = 0;
    for (const Node* argument : call.Children(Field::kArgs)) {
      if (argument->Is(Kind::kStarred))
        break;
      if (argument->Is(Kind::kName) && index < parameters.size() &&
          pointers.contains(parameters[index]->text))
        shown.insert(argument->text);
      ++index;
    }
    for (const Node* keyword : call.Children(Field::kKeywords)) {
      const Node* value = keyword->Child(Field::kValue);
      if (value != nullptr && value->Is(Kind::kName) && pointers.contains(keyword->text))
        shown.insert(value->text);
    }
  }
}

const std::unordered_set<std::string_view>& Tensors::PointersOf(const Node& kernel) const {
  const auto known = pointers_.find(&kernel);
  if (known != pointers_.end())
    return known->second;
  std::unordered_set<std::string_view> pointers;
  Walk(kernel, [&](const Node& node) {
    if (!node.Is(Kind::kCall))
      return true;
    const auto name = scene_.names.Resolve(*node.Child(Field::kFunc));
    if (!name || !name->starts_with(kLanguage))
      return true;
    const std::string_view member = std::string_view(*name).substr(kLanguage.size());
    const Node* first = node.Child(Field::kArgs);
    if (first != nullptr &&
        (member == "load" || member == "store" || member.starts_with("atomic_"))) {
      if (const Node* base = BaseOfSum(scene_.names, *first))
        pointers.insert(base->text);
    }
    return true;
  });
  return pointers_.emplace(&kernel, std::move(pointers)).first->second;
}

}  // namespace croq::source::purity
