#include "croq/source/kernel_uses.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "croq/source/gaps.h"
#include "croq/source/tune_settings.h"
#include "croq/source/words.h"

namespace croq::source {
namespace {

/// Attributes that a jitted kernel has as well, with the same meaning.
constexpr std::array kSharedAttributes = {"arg_names", "__name__", "__doc__", "__module__"};
/// Attributes of an autotuner that no other object is likely to have.
constexpr std::array kTunerAttributes = {"best_config", "configs_timings", "prune_configs",
                                         "bench_time", "configs_top_k", "early_config_prune"};

class UseFinder {
 public:
  UseFinder(const SyntaxTree& tree, const Names& names, const std::vector<Autotuned>& group)
      : tree_(tree), names_(names) {
    for (const Autotuned& one : group) {
      if (one.applied != nullptr) {
        shadowed_[one.name] = one.kernel;
        Classify(*one.applied, 0);
        continue;
      }
      int depth = 0;  // how many `.fn` lead from the name to the autotuner
      for (const Node* decorator : one.above) depth += IsHeuristics(names, *decorator) ? 1 : 0;
      AddHolder(one.definition, one.definition->text, depth);
      if (names.ScopeOf(*one.definition).Is(Kind::kClassDef)) AddMember(*one.definition, depth);
    }
    while (!todo_.empty()) {
      const Holder holder = todo_.back();
      todo_.pop_back();
      FollowName(holder);
    }
    if (escapes()) AddTunerReads();
  }

  std::vector<Use> Sorted() {
    std::stable_sort(uses_.begin(), uses_.end(), [&](const Use& a, const Use& b) {
      return std::pair(a.node->span.line, a.node->span.column) <
             std::pair(b.node->span.line, b.node->span.column);
    });
    return uses_;
  }

 private:
  /// A name that holds the kernel: `binding` is what binds it.
  struct Holder {
    const Node* binding;
    std::string_view name;
    int depth;
  };

  void AddHolder(const Node* binding, std::string_view name, int depth) {
    if (!holders_.emplace(binding, depth).second) return;
    todo_.push_back({binding, name, depth});
  }

  void Add(UseKind kind, const Node& node) {
    const Node* text = kind == UseKind::kReads ? nullptr : FormattedAround(node);
    const Node& place = text != nullptr ? *text : node;
    if (!seen_.insert(&place).second) return;
    uses_.push_back({text != nullptr ? UseKind::kEscapes : kind, &place});
  }

  bool escapes() const {
    return std::any_of(uses_.begin(), uses_.end(),
                       [](const Use& use) { return use.kind == UseKind::kEscapes; });
  }

  void FollowName(const Holder& holder) {
    Walk(tree_.root(), [&](const Node& node) {
      if (node.Is(Kind::kName) && node.text == holder.name && node.access == Access::kLoad) {
        FollowReference(node, holder);
      }
      if (IsTextualLookup(node, holder.name)) Add(UseKind::kEscapes, node);
      return true;
    });
  }

  void FollowReference(const Node& name, const Holder& holder) {
    bool ours = false;
    bool others = false;
    for (const Binding* binding : names_.BindingsOf(name)) {
      ours |= binding->node == holder.binding;
      const auto known = holders_.find(binding->node);
      const auto shadowed = shadowed_.find(std::string(holder.name));
      const bool plain = shadowed != shadowed_.end() && shadowed->second == binding->node;
      others |= !plain && (known == holders_.end() || known->second != holder.depth);
    }
    if (!ours || BeforeRebinding(name, holder)) return;
    if (others) Add(UseKind::kEscapes, name);
    else Classify(name, holder.depth);
  }

  /// In `k = triton.autotune(...)(k)` and above it, `k` is still the plain kernel.
  bool BeforeRebinding(const Node& name, const Holder& holder) const {
    if (!holder.binding->Is(Kind::kName)) return false;
    const Node& statement = *holder.binding->parent;
    const auto end = std::pair(statement.span.end_line, statement.span.end_column);
    return &names_.ScopeOf(name) == &names_.ScopeOf(*holder.binding) &&
           std::pair(name.span.line, name.span.column) < end;
  }

  /// globals()["kernel"], getattr(module, "kernel"): the name as a text.
  bool IsTextualLookup(const Node& node, std::string_view name) const {
    if (!node.IsString() || node.text != name || node.parent == nullptr) return false;
    const Node& parent = *node.parent;
    if (parent.Is(Kind::kCall)) {
      const std::string_view callee = parent.Child(Field::kFunc)->text;
      return callee == "getattr" || callee == "attrgetter" || callee == "setattr";
    }
    if (!parent.Is(Kind::kSubscript) || node.field != Field::kSlice) return false;
    const Node& table = *parent.Child(Field::kValue);
    if (table.Is(Kind::kAttribute)) return table.text == "__dict__";
    return table.Is(Kind::kCall) && Holds(std::array{"globals", "locals", "vars"},
                                          table.Child(Field::kFunc)->text);
  }

  /// Uses of a kernel that is a class's member.
  void AddMember(const Node& definition, int depth) {
    const Node& owner = names_.ScopeOf(definition);
    Walk(tree_.root(), [&](const Node& node) {
      if (!node.Is(Kind::kAttribute) || node.text != definition.text ||
          node.access != Access::kLoad)
        return true;
      const Node& object = *node.Child(Field::kValue);
      if (IsOwner(object, owner)) Classify(node, depth);
      else if (!names_.Resolve(node)) Add(UseKind::kEscapes, node);
      return true;
    });
  }

  bool IsOwner(const Node& object, const Node& owner) const {
    if (!object.Is(Kind::kName)) return false;
    const auto bindings = names_.BindingsOf(object);
    return bindings.size() == 1 &&
           (bindings[0]->node == &owner || IsSelf(*bindings[0]->node, owner));
  }

  /// The first parameter of a method of the class.
  bool IsSelf(const Node& parameter, const Node& owner) const {
    if (!parameter.Is(Kind::kArg) || parameter.field != Field::kArgs) return false;
    const Node& arguments = *parameter.parent;
    return arguments.Child(Field::kArgs) == &parameter &&
           &names_.ScopeOf(*arguments.parent) == &owner;
  }

  /// `node` is an expression from which `depth` more `.fn` lead to the autotuner.
  void Classify(const Node& node, int depth) {
    const Node& parent = *node.parent;
    switch (parent.Is(Kind::kExpr) ? Kind::kExpr : parent.kind) {
      case Kind::kExpr:
        return;
      case Kind::kAttribute:
        return ClassifyAttribute(parent, depth);
      case Kind::kSubscript:
        if (node.field == Field::kValue) return ClassifyGrid(parent);
        break;
      case Kind::kCall:
        if (node.field == Field::kArgs) return ClassifyArgument(parent, node, depth);
        break;
      case Kind::kCompare:
        if (parent.text == "Is" || parent.text == "IsNot") return;
        break;
      case Kind::kAssign:
        if (const Node* target = PlainTarget(parent);
            target != nullptr && !names_.ScopeOf(*target).Is(Kind::kClassDef))
          return AddHolder(target, target->text, depth);
        break;
      default:
        break;
    }
    Add(UseKind::kEscapes, node);
  }

  static const Node* PlainTarget(const Node& assign) {
    const auto targets = assign.Children(Field::kTargets);
    return targets.size() == 1 && targets[0]->Is(Kind::kName) ? targets[0] : nullptr;
  }

  void ClassifyAttribute(const Node& attribute, int depth) {
    if (attribute.access != Access::kLoad) return Add(UseKind::kReads, attribute);
    if (attribute.text == "fn") {
      if (depth == 0) return Add(UseKind::kBypass, attribute);
      return Classify(attribute, depth - 1);
    }
    const Node& parent = *attribute.parent;
    if ((attribute.text == "run" || attribute.text == "warmup") && parent.Is(Kind::kCall) &&
        attribute.field == Field::kFunc)
      return Add(attribute.text == "run" ? UseKind::kLaunch : UseKind::kWarmup, parent);
    if (Holds(kSharedAttributes, attribute.text)) return;
    Add(attribute.text == "best_config" ? UseKind::kBest : UseKind::kReads, attribute);
  }

  /// `kernel[grid]`: launched at once, or kept in a variable that is called.
  void ClassifyGrid(const Node& subscript) {
    const Node& parent = *subscript.parent;
    if (parent.Is(Kind::kCall) && subscript.field == Field::kFunc)
      return Add(UseKind::kLaunch, parent);
    const Node* target = parent.Is(Kind::kAssign) ? PlainTarget(parent) : nullptr;
    if (target == nullptr) return Add(UseKind::kEscapes, subscript);
    Walk(tree_.root(), [&](const Node& node) {
      if (!node.Is(Kind::kName) || node.text != target->text || node.access != Access::kLoad)
        return true;
      const auto bindings = names_.BindingsOf(node);
      const bool ours = std::any_of(bindings.begin(), bindings.end(), [&](const Binding* binding) {
        return binding->node == target;
      });
      if (!ours) return true;
      const bool called = node.parent->Is(Kind::kCall) && node.field == Field::kFunc;
      if (called && bindings.size() == 1) Add(UseKind::kLaunch, *node.parent);
      else Add(UseKind::kEscapes, node);
      return true;
    });
  }

  void ClassifyArgument(const Node& call, const Node& argument, int depth) {
    const Node& callee = *call.Child(Field::kFunc);
    if (IsHeuristics(names_, callee)) return Classify(call, depth + 1);
    const auto dotted = names_.Resolve(callee);
    const bool wraps = dotted && dotted->rfind("torch.", 0) == 0 &&
                       dotted->find("wrap_triton") != std::string::npos;
    if (wraps) return Classify(call, depth);
    Add(UseKind::kEscapes, argument);
  }

  /// Whoever the kernel is handed to may read it as an autotuner.
  void AddTunerReads() {
    Walk(tree_.root(), [&](const Node& node) {
      if (node.Is(Kind::kAttribute) && Holds(kTunerAttributes, node.text) && !names_.Resolve(node))
        Add(UseKind::kReads, node);
      return true;
    });
  }

  const SyntaxTree& tree_;
  const Names& names_;
  std::map<const Node*, int> holders_;
  std::map<std::string, const Node*> shadowed_;  ///< the plain kernel under the tuned one's name
  std::vector<Holder> todo_;
  std::set<const Node*> seen_;
  std::vector<Use> uses_;
};

}  // namespace

bool IsHeuristics(const Names& names, const Node& decorator) {
  const Node& followed = Followed(names, decorator);
  return followed.Is(Kind::kCall) &&
         IsTriton(names, *followed.Child(Field::kFunc), "heuristics");
}

bool IsTransparent(const Names& names, const Node& decorator) {
  return names.Resolve(decorator) == "builtins.staticmethod" || IsHeuristics(names, decorator);
}

std::vector<Use> UsesOf(const SyntaxTree& tree, const Names& names,
                        const std::vector<Autotuned>& group) {
  return UseFinder(tree, names, group).Sorted();
}

}  // namespace croq::source
