#pragma once

#include <string_view>

#include "croq/source/purity/hot.h"
#include "croq/source/purity/scene.h"

/// Inside the module: the jit zone. What stands in a kernel's body runs as Python while Triton
/// compiles it, unless it is Triton's own.
namespace croq::source::purity {

class Kernels {
 public:
  Kernels(Scene& scene, Hot& hot) : scene_(scene), hot_(hot) {}

  /// Judges a kernel's decorators, parameters and body. What its decorators call at a launch enters
  /// the hot zone.
  void Judge(const Node& kernel);
  /// Whether the kernel, or one it calls, writes memory.
  bool Stores(const Node& kernel) const;

 private:
  void JudgeDecorators(const Node& kernel);
  void JudgeJitKeyword(const Node& keyword);
  void JudgeHeuristics(const Node& call);
  void EnterCallable(const Node& value, std::string_view duty);
  void Visit(const Node& node);
  void VisitStatement(const Node& node);
  void VisitChildren(const Node& node);
  void CheckObject(const Node& call);
  void VisitCall(const Node& call);
  void VisitName(const Node& node);
  void ReferTo(const Meaning& meaning, const Node& node);
  bool StoresWithin(const Node& kernel, std::vector<const Node*>& seen) const;

  void Add(std::string_view code, const Node& at, std::string message) {
    scene_.Add(code, at, chain_, std::move(message));
  }

  Scene& scene_;
  Hot& hot_;
  Chain chain_;
};

}  // namespace croq::source::purity
