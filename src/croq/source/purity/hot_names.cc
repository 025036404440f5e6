#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "croq/source/purity/hot.h"

/// What the hot zone's names stand for, and whether it may use that.

#include "croq/source/words.h"

namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

constexpr std::array<std::string_view, 8> kFrameAttributes{
    "f_back", "f_locals", "f_globals", "f_builtins", "tb_frame", "tb_next", "gi_frame", "cr_frame"};
constexpr std::array<std::string_view, 3> kPlainDunders{"__name__", "__doc__", "__version__"};
constexpr std::array<std::string_view, 9> kPlainMethods{
    "__init__", "__post_init__", "__call__", "__repr__", "__str__",
    "__slots__", "__doc__",      "__module__", "__annotations__"};
// Attributes of a kernel that tell of it.
constexpr std::array<std::string_view, 6> kKernelAttributes{"fn",       "run",       "arg_names",
                                                            "__name__", "signature", "src"};
constexpr std::array<std::string_view, 10> kMachinery{
    "warmup",  "cache",   "cache_key", "device_caches", "preload",
    "best_config", "configs", "nargs",  "compile",       "create_binder"};

}  // namespace

std::string Who(const Scene& scene, const Node& node, std::string_view name) {
  const std::string shown = Shown(scene.tree, node);
  constexpr std::string_view kBuiltins = "builtins.";
  if (name.starts_with(kBuiltins))
    name.remove_prefix(kBuiltins.size());
  if (name.empty() || shown == name)
    return fmt::format("'{}'", shown);
  return fmt::format("'{}' ({})", shown, name);
}

void Hot::Reference(const Node& node, bool called) {
  const std::vector<Meaning> meanings = scene_.MeaningsOf(node);
  if (node.Is(Kind::kName))
    ReadModuleName(node);
  const bool member =
      node.Is(Kind::kAttribute) &&
      std::ranges::any_of(meanings, [](const Meaning& meaning) {
        return !meaning.Is(MeaningKind::kExternal) && !meaning.Is(MeaningKind::kFunction) &&
               !meaning.Is(MeaningKind::kClass) && !meaning.Is(MeaningKind::kKernel);
      });
  if (member) {
    Member(node, called);
    Visit(*node.Child(Field::kValue));
  } else if (node.Is(Kind::kAttribute) && !node.Child(Field::kValue)->Is(Kind::kName) &&
             !node.Child(Field::kValue)->Is(Kind::kAttribute)) {
    Visit(*node.Child(Field::kValue));  // (x := torch).mm, f().x
  }
  for (const Meaning& meaning : meanings) ReferTo(meaning, node, called);
}

void Hot::ReferTo(const Meaning& meaning, const Node& node, bool called) {
  switch (meaning.kind) {
    case MeaningKind::kExternal:
      return External(meaning, node);
    case MeaningKind::kFunction:
      return Reach(*meaning.node);
    case MeaningKind::kClass:
      return ReachClass(*meaning.node, node);
    case MeaningKind::kKernel:
      if (called) {
        Add("E207", node,
            fmt::format("the kernel {} is called, not launched", Who(scene_, node, "")));
      }
      return;
    case MeaningKind::kMember:
    case MeaningKind::kValue:
    case MeaningKind::kUnknown:
      if (called && !node.Is(Kind::kAttribute) && !MakesTupleClass(scene_, meaning) &&
          !CallsObject(meaning)) {
        Add("E110", node, fmt::format("croq can't follow what '{}' calls",
                                      Shown(scene_.tree, node)));
      }
      return;
  }
}

/// add = Add(); add(x): the class's own __call__.
bool Hot::CallsObject(const Meaning& meaning) {
  const std::vector<const Node*> classes =
      meaning.Is(MeaningKind::kValue) ? scene_.ClassesMadeBy(*meaning.node)
                                      : std::vector<const Node*>();
  for (const Node* of_class : classes) {
    const auto bindings = scene_.names.BindingsIn(*of_class);
    const bool own = std::ranges::any_of(bindings, [](const Binding* binding) {
      return binding->name == "__call__" && IsFunctionNode(*binding->node);
    });
    if (!own)
      return false;
    ReachClass(*of_class, *meaning.node);
  }
  return !classes.empty();
}

void Hot::External(const Meaning& meaning, const Node& node) {
  if (meaning.module && meaning.name.find('.') == std::string::npos)
    return Add("E410", node, fmt::format("the module {} is handed on as a value",
                                         Who(scene_, node, meaning.name)));
  const Ruling ruling = scene_.rules.Of(Zone::kHot, meaning.name);
  if (meaning.name.find(".__") != std::string::npos && !meaning.name.starts_with("builtins.") &&
      ruling.verdict != Ruling::Verdict::kAllowed) {
    return Add("E405", node, fmt::format("{} reaches into Python's own machinery",
                                         Who(scene_, node, meaning.name)));
  }
  if (ruling.unlisted())
    return Unlisted(meaning, node);
  if (ruling.code.empty() || (scene_.baseline() && ruling.baseline_only))
    return;
  Add(ruling.code, node, fmt::format("{} in the hot path: {}", Who(scene_, node, meaning.name),
                                     ruling.text));
}

void Hot::Unlisted(const Meaning& meaning, const Node& node) {
  const std::string who = Who(scene_, node, meaning.name);
  const std::string_view name = meaning.name;
  if (scene_.baseline() && name.starts_with("torch."))
    return;
  if (ComputesInTorch(name)) {
    Add("E102", node, fmt::format("{} in the hot path: torch may only make memory there", who));
  } else if (name.starts_with("triton.")) {
    Add("E208", node, fmt::format("{} in the hot path: it is no part of a plain launch", who));
  } else if (!scene_.rules.IsKnownModule(name)) {
    Add("E411", node, fmt::format("{} in the hot path is code that croq does not see", who));
  } else {
    Add("E108", node, fmt::format("{} is not among what a launcher may use", who));
  }
}

/// An attribute of something that has no name of its own.
void Hot::Member(const Node& attribute, bool called) {
  const std::string_view name = attribute.text;
  const Node& base = *attribute.Child(Field::kValue);
  if (IsDunder(name) && !Holds(kPlainDunders, name)) {
    return Add("E405", attribute,
               fmt::format("'{}' reaches into Python's own machinery", Shown(scene_.tree, attribute)));
  }
  if (Holds(kFrameAttributes, name)) {
    return Add("E406", attribute,
               fmt::format("'{}' looks into another function", Shown(scene_.tree, attribute)));
  }
  for (const Meaning& meaning : scene_.MeaningsOf(base)) {
    const bool kernel = meaning.Is(MeaningKind::kKernel);
    if (kernel && called && scene_.rules.Method(name).forbidden())
      return Add("E206", attribute,
                 fmt::format("'{}' hangs a hook on a kernel", Shown(scene_.tree, attribute)));
    if (kernel && Holds(kMachinery, name)) {
      return Add("E208", attribute, fmt::format("'{}' is no part of a plain launch",
                                                Shown(scene_.tree, attribute)));
    }
    if ((kernel && !Holds(kKernelAttributes, name)) || meaning.Is(MeaningKind::kFunction)) {
      return Add("E304", attribute,
                 fmt::format("'{}' lies on a function and lasts from call to call",
                             Shown(scene_.tree, attribute)));
    }
  }
  const Ruling ruling = scene_.rules.Method(name);
  const bool product = name.find("mm") != std::string_view::npos || name == "matmul";
  if (!called && ruling.code == "E103" && (product || tensors_.Is(base))) {
    Add("E103", attribute, fmt::format("'{}' is a tensor's own compute in the hot path",
                                       Shown(scene_.tree, attribute)));
  }
}

bool Hot::TouchesTensors(const Node& function) const {
  for (const Node* parameter : ParametersOf(function)) {
    if (tensors_.IsParameter(*parameter))
      return true;
  }
  bool touches = false;
  Walk(function, [&](const Node& node) {
    if (node.Is(Kind::kCall)) {
      const Node& callee = *node.Child(Field::kFunc);
      touches = touches || callee.Is(Kind::kSubscript) || tensors_.Is(node);
    }
    return !touches;
  });
  return touches;
}

void Hot::ReachClass(const Node& of_class, const Node& at) {
  if (!classes_.insert(&of_class).second)
    return;
  for (const Node* keyword : of_class.Children(Field::kKeywords)) {
    Add("E308", *keyword, fmt::format("'{}' is made by a {} of its own", of_class.text,
                                      keyword->text));
  }
  for (const Node* base : of_class.Children(Field::kBases)) {
    for (const Meaning& meaning : scene_.MeaningsOf(*base)) {
      if (meaning.Is(MeaningKind::kClass)) {
        ReachClass(*meaning.node, at);
        continue;
      }
      const bool plain = meaning.Is(MeaningKind::kExternal) &&
                         (scene_.rules.Of(Zone::kHot, meaning.name).verdict ==
                              Ruling::Verdict::kAllowed ||
                          meaning.name == "torch.nn.Module" || meaning.name == "abc.ABC") &&
                         meaning.name != "torch.Tensor" && meaning.name != "torch.nn.Parameter";
      if (!plain) {
        Add("E308", *base, fmt::format("'{}' inherits from {}, whose behaviour is not the file's",
                                       of_class.text, Who(scene_, *base, meaning.name)));
      }
    }
  }
  for (const Binding* binding : scene_.names.BindingsIn(of_class)) {
    if (IsDunder(binding->name) && !Holds(kPlainMethods, binding->name)) {
      Add("E308", *binding->node, fmt::format("'{}.{}' runs where nothing is called", of_class.text,
                                              binding->name));
    }
    if (IsFunctionNode(*binding->node) && !scene_.IsKernel(*binding->node))
      Reach(*binding->node);
    if (binding->value != nullptr)
      ReadStored(*binding->value, *binding->node);
  }
}

}  // namespace croq::source::purity
