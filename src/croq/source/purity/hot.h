#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "croq/source/purity/scene.h"
#include "croq/source/purity/state.h"
#include "croq/source/purity/tensors.h"

/// Inside the module: the hot zone. Walks the launcher and all that it reaches; what is on no list
/// is a finding.
namespace croq::source::purity {

class Hot {
 public:
  Hot(Scene& scene, const Tensors& tensors, const State& state)
      : scene_(scene), tensors_(tensors), state_(state) {}

  /// Judges these functions and what they reach. `why` begins the chain where it is not empty: the
  /// decorator that hands them to Triton.
  void Enter(const Node& function, const Chain& why);
  /// Judges a function that Triton calls around launches: it gets their arguments.
  void EnterHook(const Node& function, const Chain& why);
  /// Judges what an entry is bound to that is no function of the file: `torch.mm`, `partial(...)`.
  void EnterValue(const Node& value);
  /// Judges a class whose objects are the launcher.
  void EnterClass(const Node& of_class);
  /// Empties the queue; call after Enter.
  void Run();

  bool Reached(const Node& function) const { return reached_.contains(&function); }
  /// Names of the module that the hot zone reads.
  const std::unordered_set<std::string_view>& read() const { return read_; }
  /// Kernels that a function launches itself, and functions that it reaches directly.
  const std::vector<const Node*>& LaunchedBy(const Node& function);
  const std::vector<const Node*>& ReachedFrom(const Node& function);
  const Chain& ChainOf(const Node& function) const { return chains_.at(&function); }

 private:
  // hot.cc: statements and expressions
  void VisitFunction(const Node& function);
  void VisitChildren(const Node& node);
  void Visit(const Node& node);
  void VisitStatement(const Node& node);
  void VisitNested(const Node& function);
  void VisitDecorators(const Node& function, bool nested);
  void VisitCached(const Node& function, const Node& decorator);
  void CheckOperator(const Node& node);
  void CheckTruth(const Node& test);
  void CheckImport(const Node& statement);
  // hot_names.cc: what names stand for
  void Reference(const Node& node, bool called);
  void ReferTo(const Meaning& meaning, const Node& node, bool called);
  bool CallsObject(const Meaning& meaning);
  void External(const Meaning& meaning, const Node& node);
  void Unlisted(const Meaning& meaning, const Node& node);
  void Member(const Node& attribute, bool called);
  void ReadModuleName(const Node& name);
  void ReadStored(const Node& value, const Node& reader);
  void ReadStoredName(const Node& node, const Node& reader);
  void Reach(const Node& function);
  void ReachClass(const Node& of_class, const Node& at);
  bool TouchesTensors(const Node& function) const;
  // hot_calls.cc
  void Call(const Node& call);
  void CheckBuiltin(const Node& call, std::string_view name);
  void Method(const Node& call, const Node& attribute);
  bool OwnMethod(const Node& attribute);
  void Launch(const Node& call, const Node& launched);
  void CheckKeywords(const Node& call, const Node& kernel);
  void CheckKeyword(std::string_view name, const Node& at, const Node& kernel);
  void CheckSearch(const Node& call);
  // hot_writes.cc
  void Write(const Node& target);
  void WriteAttribute(const Node& target);
  bool SizesDescriptor(const Node& target) const;
  void WriteName(const Node& target);
  void WriteInto(const Node& container, const Node& at);
  bool HoldsModuleName(const Node& value) const;
  bool OutlivesCall(const Binding& binding) const;
  /// A container that this call makes.
  bool IsFresh(const Node& value) const;
  using Seen = std::unordered_set<const void*>;
  bool IsFresh(const Node& value, Seen& seen) const;

  void Add(std::string_view code, const Node& at, std::string message) {
    scene_.Add(code, at, chain_, std::move(message));
  }

  Scene& scene_;
  const Tensors& tensors_;
  const State& state_;
  std::deque<const Node*> queue_;
  std::unordered_set<const Node*> reached_;
  std::unordered_set<const Node*> classes_;
  std::unordered_set<const Node*> hooks_;
  std::unordered_set<const Node*> stored_;
  std::unordered_set<std::string_view> read_;
  std::unordered_map<const Node*, Chain> chains_;
  std::unordered_map<const Node*, std::vector<const Node*>> launches_;
  std::unordered_map<const Node*, std::vector<const Node*>> edges_;
  const Node* function_ = nullptr;  ///< being judged
  Chain chain_;
};

/// Enters the allocator and, in iteration 0, the hooks of configurations and of the search.
void EnterHooks(Scene& scene, Hot& hot);

/// Notes what changes an operator that a function of the file is registered as.
void CheckOperators(Scene& scene);

/// The keys of a dict that is expanded into a call, where the file says them; nothing otherwise.
std::optional<std::vector<std::string>> KeysOf(const Scene& scene, const Node& value);

/// `'f' (torch.mm)`, or `'torch.mm'`.
std::string Who(const Scene& scene, const Node& node, std::string_view name);

}  // namespace croq::source::purity
