#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "croq/source/read_kernels.h"

/// Inside the module: what a kernel's body does with its parameters, as far as that can be seen
/// without running it.
namespace croq::source {

/// Where memory behind a parameter is first read, written, and changed by an atomic.
struct PointerUse {
  const Node* loaded = nullptr;
  const Node* stored = nullptr;
  const Node* atomic = nullptr;
};

/// `tl.program_id(axis) * PARAMETER`.
struct ProgramStep {
  int axis = 0;
  std::string parameter;
  const Node* node = nullptr;
};

struct KernelBody {
  std::map<std::string, PointerUse, std::less<>> uses;  ///< by parameter
  std::vector<ProgramStep> steps;
  bool asks_for_the_grid = false;  ///< tl.num_programs: it may walk over any grid
  /// Parameters that a loop's bounds or steps are made of: they may walk over what one program's
  /// block leaves out.
  std::set<std::string, std::less<>> loop_steps;
};

class KernelBodies {
 public:
  KernelBodies(const Names& names, const Kernels& kernels) : names_(names), kernels_(kernels) {}
  /// Of a kernel's definition; calls of the file's other kernels are followed.
  const KernelBody& Of(const Node& definition);

 private:
  friend class BodyReader;
  const Names& names_;
  const Kernels& kernels_;
  std::map<const Node*, KernelBody> known_;
};

/// The names of a function's parameters, in order.
std::vector<std::string> ParameterNames(const Node& function);

}  // namespace croq::source
