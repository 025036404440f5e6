#pragma once

#include <unordered_set>
#include <vector>

#include "croq/source/purity/hot.h"
#include "croq/source/purity/scene.h"

/// Inside the module: what runs when the file is imported. Calls are on a list or are findings.
namespace croq::source::purity {

class ModuleZone {
 public:
  ModuleZone(Scene& scene, const Hot& hot) : scene_(scene), hot_(hot) {}
  /// After the hot zone is known.
  void Judge();
  /// Functions of the file that run at import.
  bool Reached(const Node& function) const { return reached_.contains(&function); }
  /// The statements under `if __name__ == "__main__":`, which do not.
  const std::vector<const Node*>& main_statements() const { return main_; }

 private:
  void Statement(const Node& statement);
  void CheckImport(const Node& statement);
  void Definition(const Node& function);
  void Class(const Node& of_class);
  void Visit(const Node& node);
  void VisitChildren(const Node& node);
  void Store(const Node& target);
  void CheckCall(const Node& call);
  void CallExternal(const Meaning& meaning, const Node& call);
  void Mention(const Node& node);
  void ReachFunction(const Node& function);
  void CheckLiteral(const Node& node);
  bool UsedWhereItRuns(const Node& statement) const;

  void Add(std::string_view code, const Node& at, std::string message) {
    scene_.Add(code, at, chain_, std::move(message));
  }

  Scene& scene_;
  const Hot& hot_;
  std::unordered_set<const Node*> reached_;
  std::vector<const Node*> main_;
  Chain chain_;
};

/// Judges code that neither the launcher nor an import runs: only what could reach into the other
/// zones is a finding there.
void JudgeCold(Scene& scene, const Hot& hot, const ModuleZone& module);

/// Notes a write to `target` (an attribute or item) of something that the file did not make, or that
/// is a function of it. `zone` is where it stands.
void CheckForeignWrite(Scene& scene, const Node& target, Zone zone, const Chain& chain);

}  // namespace croq::source::purity
