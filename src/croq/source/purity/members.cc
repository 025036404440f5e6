#include <algorithm>
#include <initializer_list>

#include "croq/source/purity/scene.h"

/// Objects of the file's own classes, and the kernels that their attributes hold.
namespace croq::source::purity {

namespace {

using Kind_ = Meaning::Kind;

}  // namespace

bool MakesTupleClass(const Scene& scene, const Meaning& meaning) {
  if (!meaning.Is(Kind_::kValue) || !meaning.node->Is(Kind::kCall))
    return false;
  const auto name = scene.names.Resolve(*meaning.node->Child(Field::kFunc));
  return name == "collections.namedtuple" || name == "typing.NamedTuple";
}

/// Notes what `x.name = value`, or a class's body, puts under a name; null for what no expression
/// says. A field of a dataclass is what its constructor is given.
void Scene::IndexMembers(const Node& node) {
  if (node.Is(Kind::kAttribute) && node.access != Access::kLoad) {
    const bool plain = node.parent->Is(Kind::kAssign) || node.parent->Is(Kind::kAnnAssign);
    members_[node.text].push_back(plain ? node.parent->Child(Field::kValue) : nullptr);
  } else if (node.Is(Kind::kClassDef)) {
    for (const Binding* binding : names.BindingsIn(node)) {
      const bool plain = binding->node->Is(Kind::kName) && binding->node->parent->Is(Kind::kAssign);
      const bool function = IsFunctionNode(*binding->node);
      members_[binding->name].push_back(function ? binding->node : plain ? binding->value : nullptr);
    }
  }
}

const std::vector<const Node*>& Scene::MembersNamed(std::string_view name) const {
  static const std::vector<const Node*> kNone;
  const auto found = members_.find(name);
  return found == members_.end() ? kNone : found->second;
}

std::vector<const Node*> Scene::ClassesMadeBy(const Node& call) const {
  std::vector<const Node*> classes;
  if (!call.Is(Kind::kCall))
    return classes;
  for (const Meaning& meaning : MeaningsOf(*call.Child(Field::kFunc))) {
    if (meaning.Is(Kind_::kClass))
      classes.push_back(meaning.node);
  }
  return classes;
}

std::vector<const Node*> Scene::ClassesOf(const Node& base) const {
  std::vector<const Node*> classes = ClassesMadeBy(base);
  const auto bindings = base.Is(Kind::kName) ? names.BindingsOf(base)
                                             : std::vector<const Binding*>();
  for (const Binding* binding : bindings) {
    if (binding->node->Is(Kind::kArg)) {
      const Node& function = *binding->node->parent->parent;
      const Node* of_class = EnclosingClass(function);
      const std::vector<const Node*> parameters = ParametersOf(function);
      if (of_class != nullptr && parameters.front() == binding->node && !IsContext(*binding) &&
          !IsDecoratedWith(function, "builtins.staticmethod"))
        classes.push_back(of_class);
    } else if (binding->value != nullptr) {
      for (const Node* made : ClassesMadeBy(*binding->value)) classes.push_back(made);
    }
  }
  for (std::size_t index = 0; index < classes.size() && index < 32; ++index) {
    for (const Node* parent : classes[index]->Children(Field::kBases)) {
      for (const Meaning& meaning : MeaningsOf(*parent)) {
        if (meaning.Is(Kind_::kClass) &&
            std::ranges::find(classes, meaning.node) == classes.end())
          classes.push_back(meaning.node);
      }
    }
  }
  return classes;
}

/// Other bases may look attributes up their own way. torch.nn.Module does so for what was registered
/// with it.
bool Scene::HasOwnBasesOnly(const std::vector<const Node*>& classes) const {
  const bool registers = std::ranges::any_of(
      std::initializer_list<std::string_view>{"add_module", "register_module", "register_buffer",
                                              "register_parameter", "_modules", "_buffers",
                                              "_parameters", "__getattr__", "__dict__"},
      [&](std::string_view name) { return attributes_.contains(name); });
  return std::ranges::all_of(classes, [&](const Node* of_class) {
    return std::ranges::all_of(of_class->Children(Field::kBases), [&](const Node* base) {
      return std::ranges::all_of(MeaningsOf(*base), [&](const Meaning& meaning) {
        return meaning.Is(Kind_::kClass) || meaning.name == "builtins.object" ||
               meaning.name == "torch.autograd.Function" ||
               (meaning.name == "torch.nn.Module" && !registers);
      });
    });
  });
}

/// `self.kernel`: a kernel where all that the file puts under that name, in any class and on any
/// object, is one. Every other attribute is a member of something that can't be followed.
void Scene::OfMember(const Node& node, Question& question, Meanings& found) const {
  const Node& base = *node.Child(Field::kValue);
  const auto places = members_.find(node.text);
  constexpr std::size_t kMostPlaces = 64;  // no honest file has more
  const bool own = base.Is(Kind::kName) && places != members_.end() &&
                   places->second.size() <= kMostPlaces && names.BindingsOf(base).size() == 1 &&
                   !ClassesOf(base).empty();
  Meanings held;
  if (own && HasOwnBasesOnly(ClassesOf(base)) && question.asked.try_emplace(&places->second).second) {
    for (const Node* value : places->second) {
      if (value == nullptr)
        return Put({Kind_::kMember, std::string(node.text), &node}, found);
      if (IsFunctionNode(*value))
        Put({IsKernel(*value) ? Kind_::kKernel : Kind_::kFunction, {}, value}, held);
      else
        Evaluate(*value, question, held);
    }
  }
  const bool kernels = !held.empty() && std::ranges::all_of(held, [](const Meaning& meaning) {
    return meaning.Is(Kind_::kKernel);
  });
  if (!kernels)
    return Put({Kind_::kMember, std::string(node.text), &node}, found);
  for (Meaning& meaning : held) Put(std::move(meaning), found);
}

}  // namespace croq::source::purity
