#include "croq/source/kernel_body.h"

#include <algorithm>

#include "croq/source/literal.h"
#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

/// A pointer gets one more name with each round; kernels that pass it on more often are rare.
constexpr int kRounds = 3;

bool IsAny(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::vector<std::string> ParameterNames(const Node& function) {
  std::vector<std::string> names;
  if (const Node* arguments = function.Child(Field::kArgs)) {
    for (const Field field : {Field::kPosOnlyArgs, Field::kArgs, Field::kKwOnlyArgs}) {
      for (const Node* node : arguments->Children(field)) names.emplace_back(node->text);
    }
  }
  return names;
}

class BodyReader {
 public:
  BodyReader(KernelBodies& bodies, const Node& definition)
      : bodies_(bodies), definition_(definition) {
    for (std::string& name : ParameterNames(definition)) parameters_.insert(std::move(name));
  }

  KernelBody Read() {
    FindScalars();
    for (int round = 0; round < kRounds; ++round) EachNode([&](const Node& node) { Assign(node); });
    EachNode([&](const Node& node) { Use(node); });
    return std::move(body_);
  }

 private:
  using Roots = std::set<std::string, std::less<>>;

  template <typename Visit>
  void EachNode(Visit&& visit) {
    for (const Node* statement : definition_.Children(Field::kBody)) {
      Walk(*statement, [&](const Node& node) {
        visit(node);
        return true;
      });
    }
  }

  std::string Called(const Node& node) const { return CalledName(bodies_.names_, node); }

  /// What is multiplied, divided or ordered is a number, not a pointer.
  void FindScalars() {
    EachNode([&](const Node& node) {
      const bool arithmetic = node.Is(Kind::kBinOp) && !IsAny(node.text, {"Add", "Sub"});
      const bool ordered = node.Is(Kind::kCompare) && node.text.find("t") != std::string_view::npos;
      const bool counted = node.Is(Kind::kCall) &&
                           IsAny(Called(node), {"builtins.range", "triton.language.range",
                                                "triton.language.cdiv", "triton.cdiv"});
      if (!arithmetic && !ordered && !counted)
        return;
      for (const Node* child : node.children) {
        if (child->Is(Kind::kName) && child->field != Field::kFunc)
          scalars_.emplace(child->text);
      }
    });
  }

  void Assign(const Node& node) {
    const Node* value = node.Child(Field::kValue);
    if (value == nullptr)
      return;
    if (node.Is(Kind::kAssign)) {
      for (const Node* target : node.Children(Field::kTargets)) AssignTo(*target, *value);
    } else if (node.Is(Kind::kAugAssign) || node.Is(Kind::kAnnAssign) ||
               node.Is(Kind::kNamedExpr)) {
      AssignTo(*node.Child(Field::kTarget), *value);
    }
  }

  void AssignTo(const Node& target, const Node& value) {
    if (target.Is(Kind::kTuple) && value.Is(Kind::kTuple) &&
        target.children.size() == value.children.size()) {
      for (std::size_t i = 0; i < target.children.size(); ++i)
        AssignTo(*target.children[i], *value.children[i]);
      return;
    }
    if (!target.Is(Kind::kName))
      return;
    const Roots roots = RootsOf(value);
    roots_[target.text].insert(roots.begin(), roots.end());
    const int axis = AxisOf(value);
    const auto [known, fresh] = axes_.emplace(target.text, axis);
    if (!fresh && known->second != axis)
      known->second = -1;
  }

  /// The parameters that an address in the expression starts from.
  Roots RootsOf(const Node& node) const {
    switch (node.kind) {
      case Kind::kName: {
        Roots roots;
        if (const auto found = roots_.find(node.text); found != roots_.end())
          roots = found->second;
        if (parameters_.contains(node.text) && !scalars_.contains(node.text))
          roots.emplace(node.text);
        return roots;
      }
      case Kind::kBinOp: {
        if (!IsAny(node.text, {"Add", "Sub"}))
          return {};
        Roots left = RootsOf(*node.Child(Field::kLeft));
        return left.empty() ? RootsOf(*node.Child(Field::kRight)) : left;
      }
      case Kind::kIfExp: {
        Roots roots = RootsOf(*node.Child(Field::kBody));
        roots.merge(RootsOf(*node.Child(Field::kOrElse)));
        return roots;
      }
      case Kind::kSubscript:
        return RootsOf(*node.Child(Field::kValue));
      case Kind::kCall:
        return RootsOfCall(node);
      default:
        return {};
    }
  }

  Roots RootsOfCall(const Node& node) const {
    const Node& callee = *node.Child(Field::kFunc);
    const std::string name = Called(node);
    const std::string_view word = LanguageName(name);
    if (IsAny(word, {"make_block_ptr", "make_tensor_descriptor",
                     "_experimental_make_tensor_descriptor", "advance", "multiple_of",
                     "max_contiguous", "max_constancy", "broadcast_to", "cast",
                     "_experimental_reinterpret_tensor_descriptor"})) {
      const Node* base = Argument(node, 0, "base");
      return base == nullptr ? Roots() : RootsOf(*base);
    }
    if (word == "where") {
      Roots roots;
      for (const std::size_t position : {std::size_t{1}, std::size_t{2}}) {
        if (const Node* side = Argument(node, position, ""))
          roots.merge(RootsOf(*side));
      }
      return roots;
    }
    if (name.empty() && callee.Is(Kind::kAttribute) && IsAny(callee.text, {"to", "cast"}))
      return RootsOf(*callee.Child(Field::kValue));
    return {};
  }

  /// The axis where the expression is tl.program_id(axis), cast or not; otherwise -1.
  int AxisOf(const Node& node) const {
    if (node.Is(Kind::kName)) {
      const auto found = axes_.find(node.text);
      return found == axes_.end() ? -1 : found->second;
    }
    if (!node.Is(Kind::kCall))
      return -1;
    if (LanguageName(Called(node)) == "program_id") {
      const Node* axis = Argument(node, 0, "axis");
      return axis == nullptr ? 0 : static_cast<int>(IntLiteral(*axis).value_or(-1));
    }
    const Node& callee = *node.Child(Field::kFunc);
    return callee.Is(Kind::kAttribute) && callee.text == "to"
               ? AxisOf(*callee.Child(Field::kValue))
               : -1;
  }

  void Use(const Node& node) {
    if (node.Is(Kind::kBinOp) && node.text == "Mult") {
      UseProduct(*node.Child(Field::kLeft), *node.Child(Field::kRight), node);
      UseProduct(*node.Child(Field::kRight), *node.Child(Field::kLeft), node);
    }
    if (node.Is(Kind::kFor) || node.Is(Kind::kWhile))
      UseLoop(node);
    if (!node.Is(Kind::kCall))
      return;
    const Node& callee = *node.Child(Field::kFunc);
    const std::string name = Called(node);
    std::string_view word = LanguageName(name);
    body_.asks_for_the_grid |= word == "num_programs";
    const Node* address = Argument(node, 0, "pointer");
    if (name.empty() && callee.Is(Kind::kAttribute)) {  // a descriptor's method
      word = callee.text;
      address = callee.Child(Field::kValue);
    }
    if (IsAny(word, {"load", "store", "gather", "scatter"}) || word.starts_with("atomic_")) {
      if (address != nullptr)
        Note(word, RootsOf(*address), node);
    } else {
      UseCallee(node, callee);
    }
  }

  void UseLoop(const Node& loop) {
    const auto note = [&](const Node& node) {
      if (node.Is(Kind::kName) && parameters_.contains(node.text))
        body_.loop_steps.emplace(node.text);
      return true;
    };
    for (const Node* child : loop.children) {
      if (child->field == Field::kIter || child->field == Field::kTest) {
        Walk(*child, note);
      } else {
        Walk(*child, [&](const Node& node) {
          if (node.Is(Kind::kAugAssign))
            Walk(*node.Child(Field::kValue), note);
          return true;
        });
      }
    }
  }

  void UseProduct(const Node& program, const Node& step, const Node& product) {
    const int axis = AxisOf(program);
    if (axis >= 0 && step.Is(Kind::kName) && parameters_.contains(step.text))
      body_.steps.push_back({axis, std::string(step.text), &product});
  }

  void Note(std::string_view word, const Roots& roots, const Node& node) {
    for (const std::string& root : roots) {
      PointerUse& use = body_.uses[root];
      const Node*& first = IsAny(word, {"load", "gather"})     ? use.loaded
                           : IsAny(word, {"store", "scatter"}) ? use.stored
                                                               : use.atomic;
      if (first == nullptr)
        first = &node;
    }
  }

  /// What another kernel of the file does with what it is given.
  void UseCallee(const Node& node, const Node& callee) {
    if (!callee.Is(Kind::kName))
      return;
    for (const KernelInfo* called : bodies_.kernels_.Of(callee).kernels) {
      if (called->definition == &definition_)
        continue;
      const KernelBody& inner = bodies_.Of(*called->definition);
      std::size_t position = 0;
      for (const std::string& parameter : ParameterNames(*called->definition)) {
        const Node* argument = Argument(node, position++, parameter);
        const auto use = inner.uses.find(parameter);
        if (argument == nullptr || use == inner.uses.end())
          continue;
        const Roots roots = RootsOf(*argument);
        if (use->second.loaded != nullptr)
          Note("load", roots, node);
        if (use->second.stored != nullptr)
          Note("store", roots, node);
        if (use->second.atomic != nullptr)
          Note("atomic_add", roots, node);
      }
    }
  }

  KernelBodies& bodies_;
  const Node& definition_;
  KernelBody body_;
  Roots parameters_;
  Roots scalars_;
  std::map<std::string_view, Roots> roots_;
  std::map<std::string_view, int> axes_;
};

const KernelBody& KernelBodies::Of(const Node& definition) {
  const auto [known, fresh] = known_.try_emplace(&definition);  // empty for a recursive call
  if (fresh) {
    KernelBody read = BodyReader(*this, definition).Read();
    known_[&definition] = std::move(read);
  }
  return known_[&definition];
}

}  // namespace croq::source
