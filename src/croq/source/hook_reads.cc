#include "croq/source/hook_reads.h"

#include <algorithm>
#include <vector>

namespace croq::source {
namespace {

bool IsLiteral(const Node& node) {
  if (node.Is(Kind::kList) || node.Is(Kind::kTuple)) {
    return std::all_of(node.children.begin(), node.children.end(),
                       [](const Node* item) { return IsLiteral(*item); });
  }
  return node.Is(Kind::kConstant);
}

/// The one function of the file that an expression names; null where there are none or several.
const Node* OnlyFunction(const Names& names, const Node& expression) {
  const auto functions = names.FunctionsCalled(expression);
  return functions.size() == 1 ? functions.front() : nullptr;
}

/// The lambda or inner function that a function makes and does nothing besides; null otherwise.
const Node* MadeHook(const Node& maker) {
  auto body = maker.Children(Field::kBody);
  if (!maker.Is(Kind::kFunctionDef) || !maker.Children(Field::kDecorators).empty()) return nullptr;
  const auto is_text = [](const Node* node) {
    return node->Is(Kind::kExpr) && node->Child(Field::kValue)->IsString();
  };
  body.erase(std::remove_if(body.begin(), body.end(), is_text), body.end());
  if (body.empty() || body.size() > 2 || !body.back()->Is(Kind::kReturn)) return nullptr;
  const Node* value = body.back()->Child(Field::kValue);
  if (value == nullptr) return nullptr;
  if (body.size() == 1) return value->Is(Kind::kLambda) ? value : nullptr;
  const bool inner = body.front()->Is(Kind::kFunctionDef) && value->Is(Kind::kName) &&
                     value->text == body.front()->text &&
                     body.front()->Children(Field::kDecorators).empty();
  return inner ? body.front() : nullptr;
}

class HookReader {
 public:
  HookReader(const Names& names, const Node& hook) : names_(names), hook_(hook) {}

  std::optional<HookReads> Read() {
    const Node* function = nullptr;
    if (hook_.Is(Kind::kCall)) {
      maker_ = OnlyFunction(names_, *hook_.Child(Field::kFunc));
      function = maker_ != nullptr ? MadeHook(*maker_) : nullptr;
    } else {
      function = OnlyFunction(names_, hook_);
    }
    if (function == nullptr) return std::nullopt;
    const auto parameters = function->Child(Field::kArgs)->Children(Field::kArgs);
    if (parameters.size() != 1 || function->Child(Field::kArgs)->children.size() != 1)
      return std::nullopt;
    Walk(*function, [&](const Node& node) {
      if (node.Is(Kind::kName) && node.text == parameters[0]->text) Use(node);
      return true;
    });
    return only_ ? std::optional(reads_) : std::nullopt;
  }

 private:
  /// One mention of the dictionary.
  void Use(const Node& name) {
    const Node& parent = *name.parent;
    if (name.access != Access::kLoad) {
      only_ = false;
    } else if (parent.Is(Kind::kSubscript) && name.field == Field::kValue &&
               parent.access == Access::kLoad) {
      AddKey(*parent.Child(Field::kSlice), true);
    } else if (parent.Is(Kind::kAttribute) && parent.text == "get" &&
               parent.parent->Is(Kind::kCall) && parent.field == Field::kFunc &&
               !parent.parent->Children(Field::kArgs).empty()) {
      AddKey(*parent.parent->Child(Field::kArgs), false);
    } else if (parent.Is(Kind::kCompare) && (parent.text == "In" || parent.text == "NotIn") &&
               name.field == Field::kComparators) {
      AddKey(*parent.Child(Field::kLeft), false);
    } else {
      only_ = false;
    }
  }

  void AddKey(const Node& key, bool needed) {
    const std::vector<std::string> texts = TextsOf(key);
    only_ &= !texts.empty();
    for (const std::string& text : texts) reads_[text] |= needed;
  }

  /// What a key may be: a literal, the maker's parameter, or an item of that in a comprehension or
  /// loop. Empty where it is something else.
  std::vector<std::string> TextsOf(const Node& key) const {
    if (key.IsString()) return {std::string(key.text)};
    if (!key.Is(Kind::kName) || maker_ == nullptr) return {};
    const auto bindings = names_.BindingsOf(key);
    if (bindings.size() != 1) return {};
    const Node& node = *bindings[0]->node;
    if (node.Is(Kind::kArg)) return Given(node);
    const bool item = node.field == Field::kTarget &&
                      (node.parent->Is(Kind::kComprehension) || node.parent->Is(Kind::kFor));
    const Node* list = item ? node.parent->Child(Field::kIter) : nullptr;
    if (list == nullptr || !list->Is(Kind::kName)) return {};
    const auto lists = names_.BindingsOf(*list);
    return lists.size() == 1 && lists[0]->node->Is(Kind::kArg) ? Given(*lists[0]->node)
                                                              : std::vector<std::string>{};
  }

  /// The texts that the making call hands to a parameter of the maker.
  std::vector<std::string> Given(const Node& parameter) const {
    const Node& arguments = *parameter.parent;
    if (arguments.parent != maker_ || parameter.field != Field::kArgs) return {};
    const auto parameters = arguments.Children(Field::kArgs);
    const auto at = std::find(parameters.begin(), parameters.end(), &parameter);
    const auto index = static_cast<std::size_t>(at - parameters.begin());
    const auto positional = hook_.Children(Field::kArgs);
    const Node* given = index < positional.size() ? positional[index] : nullptr;
    for (const Node* keyword : hook_.Children(Field::kKeywords)) {
      if (keyword->text == parameter.text) given = keyword->Child(Field::kValue);
    }
    if (given == nullptr) return {};
    if (given->IsString()) return {std::string(given->text)};
    std::vector<std::string> texts;
    for (const Node* item : given->children) {
      if (!item->IsString()) return {};
      texts.emplace_back(item->text);
    }
    return texts;
  }

  const Names& names_;
  const Node& hook_;
  const Node* maker_ = nullptr;
  HookReads reads_;
  bool only_ = true;
};

}  // namespace

std::optional<HookReads> ReadsOfHook(const Names& names, const Node& hook) {
  return HookReader(names, hook).Read();
}

bool IsHookMaker(const Names& names, const Node& call) {
  if (!call.Is(Kind::kCall) || !call.Child(Field::kFunc)->Is(Kind::kName)) return false;
  const Node* maker = OnlyFunction(names, *call.Child(Field::kFunc));
  if (maker == nullptr || MadeHook(*maker) == nullptr) return false;
  return std::all_of(call.children.begin(), call.children.end(), [](const Node* argument) {
    if (argument->field == Field::kFunc) return true;
    if (argument->Is(Kind::kKeyword)) {
      return !argument->text.empty() && IsLiteral(*argument->Child(Field::kValue));
    }
    return IsLiteral(*argument);
  });
}

}  // namespace croq::source
