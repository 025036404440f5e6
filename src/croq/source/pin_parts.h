#pragma once

#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/source/autotuned.h"
#include "croq/source/edit.h"
#include "croq/source/kernel_uses.h"
#include "croq/source/made_lists.h"
#include "croq/source/names.h"
#include "croq/source/pin_config.h"
#include "croq/source/syntax.h"

/// Inside of pinning only: its parts, each with one duty.
namespace croq::source {

/// What all parts work on.
struct PinWork {
  const SyntaxTree& tree;
  const Names& names;
  EditList edits;
  std::vector<std::string> warnings;

  void Warn(const Node& place, const std::string& what);
  /// Usage error `file:line:column: what`.
  tl::unexpected<Error> Refuse(const Node& place, const std::string& what) const;
};

/// What importing the file told of a configuration.
struct MadeFacts {
  bool pre_hook = false;  ///< it has one
  bool single = false;    ///< its list has no other
};

/// Definitions that share a name (the branches of an `if`) and get one configuration.
struct PinGroup {
  std::string name;
  std::vector<Autotuned> members;
  PinConfig config;
  const Node* config_call = nullptr;  ///< the triton.Config of the file that `config` is
  std::optional<MadeFacts> made;      ///< instead, where only importing the file showed `config`
};

/// What the autotuner did besides choosing, and a pinned launch has to do by itself.
struct LaunchDuties {
  const Node* hook = nullptr;        ///< Config.pre_hook: called before every launch
  std::vector<std::string> zeroed;   ///< reset_to_zero
  std::string dropped;               ///< for the report: settings that only concerned the trials
};

// pin_choice.cc
/// All definitions of one name in one scope; a call without a name stands alone.
std::vector<PinGroup> GroupsOf(const Names& names, const std::vector<Autotuned>& all);
/// The group that a person means by `text`; usage error that lists what there is.
Result<PinGroup*> ChooseGroup(const SyntaxTree& tree, const Names& names,
                              std::vector<PinGroup>& groups,
                              const std::vector<Autotuned>& all, const std::string& text);
/// Takes the configuration out of the kernel's own list; `made` is asked where that can't be read.
Status TakeFromList(const PinWork& work, PinGroup& group, std::size_t index,
                    const ReadMadeLists& made);
/// A decorator in which a function of the file hides an autotuner: FindAutotuned does not list it.
Status CheckHidden(const PinWork& work, const std::vector<Autotuned>& all, const std::string& text);
/// Refuses names that are no parameter of the kernel.
Status CheckKeys(const PinWork& work, const PinGroup& group);
/// Refuses what can't be pinned whatever the configuration.
Status CheckShape(const PinWork& work, const PinGroup& group);

// pin_duties.cc
/// Refuses settings whose loss would change what the file does.
Result<LaunchDuties> DutiesOf(PinWork& work, const PinGroup& group);

// pin_launch.cc
/// Refuses a launch that passes one of the configuration's names itself with another value.
Status CheckLaunch(const PinWork& work, const PinGroup& group, const Node& call);
/// Adds the keyword arguments to a launch, and what has to happen before it.
Status EditLaunch(PinWork& work, const PinGroup& group, const LaunchDuties& duties,
                  const std::vector<Use>& uses, const Node& call);

/// The expression that a launch passes for a parameter; null where it is not to be seen.
const Node* LaunchArgument(const PinGroup& group, const Node& call, const std::string& parameter);

// pin_hook.cc
/// Has Config.pre_hook called with the launch's arguments before the launch.
Status CallHook(PinWork& work, const PinGroup& group, const Node& hook, const Node& call);
/// Whether a method of a tensor only asks it something (stride, numel...).
bool IsAskingMethod(std::string_view method);

// pin_best.cc
/// The expression around `kernel.best_config` that reads one of its values, and that value.
struct BestRead {
  const Node* expression = nullptr;
  std::string value;
};
/// Nothing where something else is done with it than reading .kwargs["NAME"], .num_warps...
std::optional<BestRead> ReadOfBest(const PinGroup& group, const Node& best_config);

// pin_zero.cc
/// Has an argument zeroed before the launch, unless the launcher has just made it of zeros.
Status ZeroArgument(PinWork& work, const PinGroup& group, const std::string& parameter,
                    const std::vector<Use>& uses, const Node& call);

// pin_remove.cc
/// Takes the autotuner away from a member of the group.
Status RemoveAutotuner(PinWork& work, const PinGroup& group, const Autotuned& member,
                       const std::string& dropped);
/// Puts triton.heuristics with the constants in the autotuner's place; `why` is for the report.
Status ReplaceAutotuner(PinWork& work, const PinGroup& group, const Autotuned& member,
                        const std::string& dropped, const std::string& why);
/// Takes out lists of configurations and held decorators that nothing uses any more, and warns of
/// what is left of autotuning.
void RemoveRemains(PinWork& work);

}  // namespace croq::source
