#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "croq/source/purity/entries.h"

/// What a launcher gives back: something that a kernel was given.
namespace croq::source::purity {
namespace {

/// The names that stand in what is given to a launch or to another function of the file, and those
/// that what they hold was made of.
std::unordered_set<std::string_view> GivenToKernels(const Node& entry) {
  std::unordered_set<std::string_view> given;
  const auto add = [&](const Node& value) {
    Walk(value, [&](const Node& node) {
      if (node.Is(Kind::kName))
        given.insert(node.text);
      return true;
    });
  };
  Walk(entry, [&](const Node& node) {
    if (node.Is(Kind::kCall)) {
      const Node& callee = *node.Child(Field::kFunc);
      const bool allocates = callee.Is(Kind::kAttribute) && callee.text.find("_like") !=
                                                                std::string_view::npos;
      for (const Node* argument : node.children) {
        if (argument->field != Field::kFunc && !allocates)
          add(*argument);
      }
    }
    return true;
  });
  // What an argument was made of was given too.
  std::unordered_map<std::string_view, std::vector<const Node*>> made;
  Walk(entry, [&](const Node& node) {
    if (node.Is(Kind::kAssign)) {
      for (const Node* target : node.Children(Field::kTargets)) {
        if (target->Is(Kind::kName))
          made[target->text].push_back(node.Child(Field::kValue));
      }
    }
    return true;
  });
  std::vector<std::string_view> queue(given.begin(), given.end());
  while (!queue.empty()) {
    const std::string_view name = queue.back();
    queue.pop_back();
    for (const Node* value : made[name]) {
      Walk(*value, [&](const Node& node) {
        if (node.Is(Kind::kName) && given.insert(node.text).second)
          queue.push_back(node.text);
        return true;
      });
    }
    made.erase(name);
  }
  return given;
}

/// A call that makes memory and nothing else: what torch computes is said where it stands.
bool IsMaker(const Scene& scene, const Node& call) {
  const auto name = scene.names.Resolve(*call.Child(Field::kFunc));
  return name && MakesTensor(*name) &&
         scene.rules.Of(Zone::kHot, *name).verdict == Ruling::Verdict::kAllowed;
}

/// The names whose tensors a returned expression gives back, through views.
void ReturnedNames(const Scene& scene, const Node& value, std::vector<const Node*>& names) {
  switch (value.kind) {
    case Kind::kName:
      names.push_back(&value);
      return;
    case Kind::kTuple:
    case Kind::kList:
      for (const Node* item : value.children) ReturnedNames(scene, *item, names);
      return;
    case Kind::kCall:
      if (IsMaker(scene, value))
        names.push_back(&value);
      else if (value.Child(Field::kFunc)->Is(Kind::kAttribute))
        ReturnedNames(scene, *value.Child(Field::kFunc)->Child(Field::kValue), names);
      return;
    default:
      return;
  }
}

/// Given to a kernel itself, or made of something that was, other than by asking for memory.
bool IsWritten(const Scene& scene, const Node& name,
               const std::unordered_set<std::string_view>& given) {
  if (given.contains(name.text))
    return true;
  bool written = false;
  for (const Binding* binding : scene.names.BindingsOf(name)) {
    if (binding->value == nullptr)
      written = written || binding->node->Is(Kind::kName);  // unpacked: nothing is known of it
    else
      Walk(*binding->value, [&](const Node& node) {
        if (node.Is(Kind::kCall)) {
          const Node& callee = *node.Child(Field::kFunc);
          const bool memory = IsMaker(scene, node) || callee.text.starts_with("new_");
          return !memory;
        }
        written = written || (node.Is(Kind::kName) && given.contains(node.text));
        return !written;
      });
  }
  return written;
}

/// torch.empty(0, ...): there is nothing in it.
bool IsEmpty(const Node& call) {
  const Node* size = call.Is(Kind::kCall) ? call.Child(Field::kArgs) : nullptr;
  if (size != nullptr && (size->Is(Kind::kTuple) || size->Is(Kind::kList)))
    return std::ranges::any_of(size->children, [](const Node* each) {
      return each->constant == ConstantType::kInt && each->integer == 0;
    });
  return size != nullptr && size->constant == ConstantType::kInt && size->integer == 0;
}

/// Reached functions, the entry first.
std::vector<const Node*> ReachedFrom(Hot& hot, const Node& entry) {
  std::vector<const Node*> reached{&entry};
  std::unordered_set<const Node*> seen{&entry};
  for (std::size_t index = 0; index < reached.size(); ++index) {
    for (const Node* next : hot.ReachedFrom(*reached[index])) {
      if (seen.insert(next).second)
        reached.push_back(next);
    }
  }
  return reached;
}

void CheckReturned(Scene& scene, Hot& hot, const Tensors& tensors, const Node& entry) {
  if (entry.Is(Kind::kLambda))
    return;
  const auto given = GivenToKernels(entry);
  for (const Node* statement : entry.Children(Field::kBody)) {
    Walk(*statement, [&](const Node& node) {
      if (IsFunctionNode(node))
        return false;
      const Node* value = node.Is(Kind::kReturn) ? node.Child(Field::kValue) : nullptr;
      std::vector<const Node*> returned;
      if (value != nullptr)
        ReturnedNames(scene, *value, returned);
      for (const Node* name : returned) {
        bool module = false;
        bool imported = false;
        if (name->Is(Kind::kName)) {
          for (const Binding* binding : scene.names.BindingsOf(*name)) {
            module = module || binding->scope->Is(Kind::kModule);
            imported = imported || binding->node->Is(Kind::kAlias);
          }
        }
        const bool written = name->Is(Kind::kName) && IsWritten(scene, *name, given);
        if (!tensors.Is(*name) || imported || IsEmpty(*name) || (written && !module))
          continue;
        scene.Add("E114", *name, hot.ChainOf(entry),
                  module ? fmt::format("'{}' is one buffer for all calls: it goes back to the caller "
                                       "with whatever it held",
                                       Shown(scene.tree, *name))
                         : fmt::format("'{}' goes back to the caller, and no kernel was given it",
                                       Shown(scene.tree, *name)));
      }
      return true;
    });
  }
}

}  // namespace

void CheckResult(Scene& scene, Hot& hot, const Kernels& kernels, const Node& entry) {
  bool launches = false;
  bool stores = false;
  for (const Node* function : ReachedFrom(hot, entry)) {
    for (const Node* kernel : hot.LaunchedBy(*function)) {
      launches = true;
      stores = stores || kernels.Stores(*kernel);
    }
  }
  const Chain& chain = hot.ChainOf(entry);
  if (!launches) {
    scene.Add("E113", entry, chain,
              fmt::format("'{}' launches no kernel of this file", QualifiedName(entry)));
  } else if (!stores) {
    scene.Add("E115", entry, chain,
              fmt::format("no kernel that '{}' launches writes anything", QualifiedName(entry)));
  }
  const Tensors tensors(scene);
  CheckReturned(scene, hot, tensors, entry);
}

}  // namespace croq::source::purity
