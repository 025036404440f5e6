#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "croq/source/finding.h"
#include "croq/source/names.h"
#include "croq/source/purity/rules.h"
#include "croq/source/purity.h"
#include "croq/source/syntax.h"

/// Inside the module: what all rules know of a file, and where they put what they find.
namespace croq::source::purity {

/// What an expression may stand for.
struct Meaning {
  enum class Kind {
    kExternal,  ///< `name`: of a module, a builtin, or something below one
    kFunction,  ///< `node`: a function or lambda of the file
    kKernel,    ///< `node`: a function of the file that Triton compiles
    kClass,     ///< `node`: a class of the file
    kMember,    ///< `name` of something else: what `node`, an Attribute, says
    kValue,     ///< `node`: the expression that makes it
    kUnknown,   ///< a parameter, a loop's target, ...: `node`
  };
  Kind kind = Kind::kUnknown;
  std::string name;
  const Node* node = nullptr;
  const Binding* binding = nullptr;  ///< kValue, kUnknown: of the name that was asked about
  bool module = false;               ///< kExternal: the module itself

  bool Is(Kind wanted) const { return kind == wanted; }
};

using Chain = std::vector<ChainStep>;

class Scene {
 public:
  Scene(const SyntaxTree& tree, const Names& names, const Rules& rules,
        const PurityOptions& options);

  const SyntaxTree& tree;
  const Names& names;
  const Rules& rules;
  const PurityOptions& options;

  /// Notes a finding, once for each code and place. In iteration 0 what the baseline may do is no
  /// finding.
  void Add(std::string_view code, const Node& at, const Chain& chain, std::string message);
  /// The report; call once.
  std::vector<Finding> TakeFindings();

  /// All that the expression may stand for; never empty.
  const std::vector<Meaning>& MeaningsOf(const Node& expression) const;
  /// What an `import` or `from ... import` alias brings in.
  Meaning MeaningOfImport(const Node& alias) const;
  /// The kernels among them.
  std::vector<const Node*> KernelsOf(const Node& expression) const;
  bool IsKernel(const Node& function) const { return kernels_.contains(&function); }
  const std::vector<const Node*>& kernels() const { return kernel_list_; }
  /// Every function of the file, outermost first; no lambdas.
  const std::vector<const Node*>& functions() const { return functions_; }
  const std::vector<const Node*>& calls() const { return calls_; }
  /// What calls in the file pass for a parameter, and its default.
  const std::vector<const Node*>& ArgumentsFor(const Node& parameter) const;
  /// The classes of the file that a call makes an object of.
  std::vector<const Node*> ClassesMadeBy(const Node& call) const;
  /// The classes of the file that an object may be of: self, Class(), and x after x = Class().
  std::vector<const Node*> ClassesOf(const Node& base) const;
  /// What is put under an attribute's name anywhere in the file, and in its classes' bodies; null for
  /// what no expression says.
  const std::vector<const Node*>& MembersNamed(std::string_view name) const;
  bool IsFixed(const Node& subscript) const;
  bool AreFixed(const std::vector<const Binding*>& bindings, int depth) const;
  bool UsesOnlyRead(const Binding& binding, int depth) const;
  bool IsHandedOn(const Node& used, int depth) const;
  bool HasOwnBasesOnly(const std::vector<const Node*>& classes) const;
  /// Where items of a container of that name are set: `name[key] = x`, name.update(...),
  /// name.setdefault(...).
  const std::vector<const Node*>& ItemChangesOf(std::string_view name) const;
  /// What is put into a list of that name: name.append(x).
  const std::vector<const Node*>& AddedTo(std::string_view name) const;
  bool IsDecoratedWith(const Node& function, std::string_view name) const;
  bool baseline() const { return options.iteration == 0; }

  /// Counts the work of following names; false once a file asks for more than any honest one does.
  /// What is asked after that gets no answer, and the file is rejected.
  bool Spend() const { return ++spent_ <= kMostSteps; }
  bool TooEntangled() const { return spent_ > kMostSteps; }

 private:
  using Meanings = std::vector<Meaning>;
  static constexpr int kMostSteps = 2'000'000;

  /// What following one expression has met so far: what leads back to it adds nothing.
  struct Question {
    std::unordered_map<const void*, Meanings> asked;  ///< by binding or function
    int steps = 0;
  };
  void Index();
  void IndexMembers(const Node& node);
  void IndexKernels();
  void IndexArguments();
  void Pass(const Node& call, const Node& function, std::size_t index);
  void PassOn(const Node& call);
  /// Adds a meaning that is not there yet.
  static void Put(Meaning meaning, Meanings& found);
  void Evaluate(const Node& node, Question& question, Meanings& found) const;
  void OfName(const Node& node, Question& question, Meanings& found) const;
  void OfBinding(const Binding& binding, const Node& user, Question& question,
                 Meanings& found) const;
  void OfTarget(const Binding& binding, Question& question, Meanings& found) const;
  void OfParameter(const Binding& binding, Question& question, Meanings& found) const;
  void OfAttribute(const Node& node, Question& question, Meanings& found) const;
  void OfMember(const Node& node, Question& question, Meanings& found) const;
  void OfCall(const Node& node, Question& question, Meanings& found) const;
  void OfSubscript(const Node& node, Question& question, Meanings& found) const;
  void OfReturns(const Node& function, Question& question, Meanings& found) const;

  std::vector<const Node*> functions_;
  std::vector<const Node*> calls_;
  std::unordered_set<const Node*> kernels_;
  std::vector<const Node*> kernel_list_;
  std::unordered_map<const Node*, std::vector<const Node*>> arguments_;
  std::unordered_map<std::string_view, std::vector<const Node*>> item_changes_;
  std::unordered_map<std::string_view, std::vector<const Node*>> members_;
  std::unordered_map<std::string_view, std::vector<const Node*>> uses_;  ///< Names, by their text
  std::unordered_set<std::string_view> attributes_;
  std::unordered_map<std::string_view, std::vector<const Node*>> added_;
  mutable std::unordered_map<const Binding*, bool> fixed_;
  std::vector<Finding> findings_;
  mutable std::unordered_map<const Node*, Meanings> kept_;
  bool indexed_ = false;  ///< answers are kept from then on
  mutable int spent_ = 0;
  std::set<std::pair<std::string_view, std::pair<int, int>>> noted_;
};

// ---- small questions about nodes -----------------------------------------------------------------

/// The function (or lambda) that a node stands in; null at module level. A decorator, default or
/// annotation stands outside its function.
const Node* EnclosingFunction(const Node& node);
/// The class whose body directly holds the node's function; null where there is none.
const Node* EnclosingClass(const Node& function);
bool IsFunctionNode(const Node& node);
/// `if __name__ == "__main__":`
bool IsMainGuard(const Node& statement);
/// Whether a node stands in the body of one.
bool StandsInMain(const Node& node);
/// `arg` nodes in order: positional-only, positional, *, keyword-only, **.
std::vector<const Node*> ParametersOf(const Node& function);
std::vector<const Node*> DefaultsOf(const Node& function);
/// (parameter, its default).
std::vector<std::pair<const Node*, const Node*>> DefaultsByParameter(const Node& function);
/// ctx of forward(), backward() and setup_context() in a class.
bool IsContext(const Binding& binding);
std::string QualifiedName(const Node& function);
ChainStep StepOf(const Node& function);
bool IsDunder(std::string_view name);
/// The Name at the bottom of attributes and subscripts; null where something else is.
const Node* RootName(const Node& expression);
/// The Attribute chain's or Name's text, as messages show it; shortened.
std::string Shown(const SyntaxTree& tree, const Node& node);
/// Point = namedtuple("Point", "x y"): a class without behaviour.
bool MakesTupleClass(const Scene& scene, const Meaning& meaning);
/// The name of a torch function that makes a tensor: `torch.empty`.
bool MakesTensor(std::string_view name);
/// Whether a name of torch's is arithmetic (`torch.mm`, `torch.nn.Linear`), not a service
/// (`torch.cuda.ipc_collect`).
bool ComputesInTorch(std::string_view name);

}  // namespace croq::source::purity
